/** A model for agents' loops that says what a script says, by the number of its answers that it has read. */
export type Said = { readonly text?: string; readonly calls?: readonly (readonly [string, object])[] };

export function scriptedModel(script: readonly Said[]) {
  return {
    modelId: 'scripted',
    async doGenerate(question: unknown) {
      const { prompt } = question as { prompt: { role: string }[] };
      const said = script[prompt.filter(({ role }) => role === 'assistant').length];
      if (said === undefined) throw new Error('The script has ended');
      const calls = (said.calls ?? []).map(([toolName, input], at) => {
        return { type: 'tool-call', toolCallId: `c${at}`, toolName, input: JSON.stringify(input) };
      });
      return {
        content: [...(said.text === undefined ? [] : [{ type: 'text', text: said.text }]), ...calls],
        finishReason: calls.length > 0 ? 'tool-calls' : 'stop',
        usage: { inputTokens: 10, outputTokens: 5 },
      };
    },
  };
}
