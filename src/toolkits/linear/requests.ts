/** Fetching, creating and changing one object: Linear forms the names of these fields and inputs by one rule. */
import { checkPayload, type Linear } from './client.js';
import { createOnce, deriveId } from './create-once.js';

type Kind = 'issue' | 'comment' | 'issueLabel' | 'project';

interface Answer<Row> {
  readonly selection: string;
  readonly read: (raw: object) => Row;
}

interface Mutation {
  readonly payload: Readonly<Record<Kind, object | null | undefined>> & { readonly success: boolean };
}

export function createRequests<Row>(kind: Kind, { selection, read }: Answer<Row>) {
  const type = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const payload = `{ success ${kind} { ${selection} } }`;
  const getDocument = `query Get${type}($id: String!) { ${kind}(id: $id) { ${selection} } }`;
  const createDocument = `mutation Create${type}($input: ${type}CreateInput!) { payload: ${kind}Create(input: $input) ${payload} }`;
  const updateDocument = `mutation Update${type}($id: String!, $input: ${type}UpdateInput!) { payload: ${kind}Update(id: $id, input: $input) ${payload} }`;

  async function fetch(linear: Linear, id: string): Promise<Row> {
    return read((await linear.query<Record<Kind, object>>(getDocument, { id }))[kind]);
  }

  return {
    fetch,
    /** The id follows from the key of the effect, so the request may be sent again. */
    async create(linear: Linear, effectKey: string, values: object): Promise<Row> {
      const id = deriveId(effectKey, kind);
      const create = async () => {
        const answer = await linear.mutate<Mutation>(createDocument, { input: { id, ...values } }, 'within_call');
        const created = checkPayload(answer.payload)[kind];
        return created ? read(created) : fetch(linear, id);
      };
      return createOnce(create, () => fetch(linear, id));
    },
    async update(linear: Linear, id: string, input: object): Promise<Row> {
      const answer = await linear.mutate<Mutation>(updateDocument, { id, input });
      const updated = checkPayload(answer.payload)[kind];
      return updated ? read(updated) : fetch(linear, id);
    },
  };
}
