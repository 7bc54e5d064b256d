/** What a document may cost. Whatever goes beyond is refused by name, or left out of a schema and said so. */
export const limits = {
  /** Characters of a document in JSON: the largest public one known has 47 million. */
  documentCharacters: 64_000_000,
  /** Characters of a document in YAML, which costs far more to parse. */
  yamlCharacters: 8_000_000,
  /** Nesting of a document. */
  depth: 256,
  /** Characters of one path item or one component: parsed in one go, while nobody else is answered. */
  pieceCharacters: 3_000_000,
  /** Characters of parsed components that are kept while a document is read. */
  keptCharacters: 8_000_000,
  operations: 50_000,
  /** How far a chain of references may go. */
  references: 32,
  /** Characters of an input schema, with all that it refers to. */
  schemaCharacters: 40_000,
  /** Characters of one part of it that is referred to by name. */
  definitionCharacters: 16_000,
  parameters: 200,
  description: 1_000,
  fieldDescription: 300,
} as const;
