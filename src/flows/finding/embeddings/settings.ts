/** The model that the operator gave for finding tools, and how its vectors are asked for and checked. */
import { normalised, type UnitVector } from '../../../discovery/index.js';
import { HelveError } from '../../../domain/errors.js';
import type { EmbeddingModel } from '../../../domain/reach.js';

export interface EmbeddingSettings {
  readonly model: (signal: AbortSignal) => EmbeddingModel;
  /** How long a search waits for the vector of its text. */
  readonly timeoutMs: number;
  /** What one standard deviation adds to the ranker's score. */
  readonly weight: number;
  /** What some models want before a request and before a tool's text. */
  readonly queryPrefix: string;
  readonly toolPrefix: string;
  /** Ends the connections to it, when nothing is asked any more. */
  readonly close: () => Promise<void>;
}

/**
 * Returns a vector of length 1 for each text. Throws `upstream_failed` for an unusable answer, and any error of the
 * request.
 */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<readonly UnitVector[]>;

export function createEmbed(model: EmbeddingSettings['model']): Embed {
  return async (texts, signal) => {
    const bound = model(signal);
    const vectors = (await bound.embed(texts)).map((given) => normalised(given));
    const [first] = vectors;
    const good = vectors.flatMap((vector) =>
      vector?.length === first?.length && vector !== undefined ? [vector] : [],
    );
    if (good.length !== texts.length) throw unusable(bound.id);
    return good;
  };
}

function unusable(model: string): HelveError {
  return new HelveError(
    'upstream_failed',
    `${model} answered with something that is not a vector, or with vectors of different lengths`,
    {
      hint: 'Check that discovery.embeddings in helve.yaml names a model for embeddings.',
      details: { status: 422 },
    },
  );
}
