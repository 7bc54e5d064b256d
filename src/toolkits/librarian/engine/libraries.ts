/** The engine's library, and the types of what it works on. Imported only in workers. */
import { createRequire } from 'node:module';
import type * as slimdom from 'slimdom';

export type Element = slimdom.Element;

export type Work = (...of: never[]) => unknown;

/** The part of fontoxpath that is used; its own types would bring the browser's into the whole project. */
interface XPathEngine {
  readonly evaluateXPath: ((...of: readonly unknown[]) => unknown[]) & {
    readonly ALL_RESULTS_TYPE: number;
    readonly XQUERY_3_1_LANGUAGE: string;
  };
  parseScript(query: string, options: object, factory: slimdom.Document): Element;
  registerCustomXPathFunction(
    name: { namespaceURI: string; localName: string },
    takes: readonly string[],
    gives: string,
    work: (facade: unknown, ...values: never[]) => unknown,
  ): void;
  registerXQueryModule(text: string): string;
  createTypedValueFactory(type: string): (value: unknown, facade: unknown) => unknown;
  readonly domFacade: unknown;
}

export const fontoxpath = createRequire(import.meta.url)('fontoxpath') as XPathEngine;
