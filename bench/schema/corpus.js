/** The real schemas that the benches use; they are stored beside the repository and are not a part of it. */
import { existsSync, readFileSync } from 'node:fs';

const data = new URL('../../../shared/data/', import.meta.url);
const lines = (file) =>
  readFileSync(new URL(file, data), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

export const hasCorpus = existsSync(new URL('json-schema/composio-in.jsonl', data));

/** `{ id, schema }`: inputs of Composio tools, operations of GitHub's OpenAPI document. */
export const realSchemas = () => [
  ...lines('json-schema/composio-in.jsonl'),
  ...lines('json-schema/github-openapi.jsonl'),
];

/** `{ id, schema }` for each action of the catalogue: its list of parameters as the schema of an object. */
export const actions = () =>
  lines('discovery/composio/tools.jsonl').map(({ id, parameters }) => {
    const entries = Object.entries(parameters ?? {});
    const properties = Object.fromEntries(
      entries.map(([name, { required: _, ...schema }]) => [name, withoutBlanks(schema)]),
    );
    const required = entries.filter(([, { required: needed }]) => needed === true).map(([name]) => name);
    return { id, schema: { type: 'object', properties, required } };
  });

/** The catalogue writes `''` for an unknown type. */
const withoutBlanks = ({ type, ...rest }) => (type === '' || type === undefined ? rest : { type, ...rest });
