/**
 * A list of tools costs a model some 240 tokens each, on every turn, and choosing among many goes wrong more often. Enough
 * for all bundled tools and an account or two.
 */
export const defaultDirectTools = 60;
