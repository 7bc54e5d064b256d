/** JSON as types. Every value that crosses a port, a surface or a disk is one of these. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** A JSON Schema (2020-12 unless it says otherwise), raw. It is the single source of truth about a tool's shapes. */
export type JsonSchema = { readonly [keyword: string]: unknown };
