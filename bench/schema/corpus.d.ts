export interface RealSchema {
  readonly id: string;
  readonly schema: Record<string, unknown>;
}
export const hasCorpus: boolean;
export function realSchemas(): readonly RealSchema[];
export function actions(): readonly RealSchema[];
