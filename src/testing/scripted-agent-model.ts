/** For tests: a model of agents' loops that says what a script says, by the number of its answers that it has read. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly (readonly [tool: string, input: object])[];
  /** Default: `tool-calls` with calls, else `stop`. */
  readonly finish?: string;
}

export interface Asked {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly { readonly name: string }[];
}

/** `asked`: the questions so far. Throws when it is asked beyond the end of the script. */
export function scriptedModel(script: readonly Said[]) {
  const asked: Asked[] = [];
  return {
    asked,
    modelId: 'scripted',
    async doGenerate(question: unknown) {
      const { prompt, tools } = question as Asked;
      asked.push(structuredClone({ prompt, tools }));
      const said = script[prompt.filter(({ role }) => role === 'assistant').length];
      if (said === undefined) throw new Error('The script has ended');
      const calls = (said.calls ?? []).map(([toolName, input], at) => {
        return { type: 'tool-call', toolCallId: `c${at}`, toolName, input: JSON.stringify(input) };
      });
      return {
        content: [...(said.text === undefined ? [] : [{ type: 'text', text: said.text }]), ...calls],
        finishReason: said.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
        usage: { inputTokens: 10, outputTokens: 5 },
      };
    },
  };
}
