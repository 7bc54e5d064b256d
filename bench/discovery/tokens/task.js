/** `ask` is searched for first, `again` if no right tool is among the hits; `tools`: any of them is right, the first is meant. */
export const task = (ask, again, ...tools) => ({
  ask,
  again,
  tools: tools.map(([id, input]) => ({ id, arguments: input })),
});
