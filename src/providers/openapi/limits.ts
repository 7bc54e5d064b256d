/** The maximum cost of a document. Larger parts are refused by name, or omitted from a schema with a note. */
export const limits = {
  /** Characters of a document in JSON: the largest known public one has 47 million. */
  documentCharacters: 64_000_000,
  /** Characters of a document in YAML, which costs far more to parse. */
  yamlCharacters: 8_000_000,
  /** Nesting of a document. */
  depth: 256,
  /** Characters of one path item or one component, which is parsed in one step that blocks other work. */
  pieceCharacters: 3_000_000,
  /** Characters of parsed components that are cached while a document is read. */
  keptCharacters: 8_000_000,
  operations: 50_000,
  /** The maximum length of a chain of references. */
  references: 32,
  /** Characters of an input schema, with everything it refers to. */
  schemaCharacters: 40_000,
  /** Characters of one referenced part of it. */
  definitionCharacters: 16_000,
  parameters: 200,
  description: 1_000,
  fieldDescription: 300,
} as const;
