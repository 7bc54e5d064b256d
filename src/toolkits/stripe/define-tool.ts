/** Defines the tools of Stripe. */
import type { z } from 'zod';
import type { JsonSchema } from '../../domain/json.js';
import { type AuthoredSchema, defineTool, type Idempotency, type ToolDefinition } from '../../domain/tool.js';
import { defined } from '../../util/defined.js';
import type { InputRequest } from '../../util/fill-request.js';
import type { Answer } from './answers.js';
import { send } from './requests.js';
import { stripeSettings } from './settings.js';

type Authored<Input extends AuthoredSchema, Output extends AuthoredSchema> = Omit<
  ToolDefinition<Input, Output, JsonSchema, typeof stripeSettings>,
  'settingsSchema' | 'configSchema' | 'scopes'
>;

/** Stripe may forget a key after this time. The last hour is not used, because its clock and ours may differ. */
const keySeconds = 23 * 3_600;

const idempotency: Idempotency = {
  by: 'key',
  how: 'Stripe gives the same answer again to the same Idempotency-Key, for at least 24 hours',
  seconds: keySeconds,
};

export function defineStripeTool<const Input extends AuthoredSchema, const Output extends AuthoredSchema>(
  definition: Authored<Input, Output>,
): ToolDefinition {
  const scopes = definition.annotations.readOnlyHint ? ['read_only'] : ['read_write'];
  // Longer than Stripe takes for a slow payment, so that its answer arrives in time.
  const common = { timeoutMs: 120_000, ...definition, scopes, settingsSchema: stripeSettings };
  return defineTool(definition.annotations.readOnlyHint ? common : { ...common, idempotency });
}

/** A tool that sends one request and returns its answer. */
export function defineStripeRequest<const Input extends AuthoredSchema, const Request extends string>({
  request,
  parameters,
  answer,
  ...definition
}: Omit<Authored<Input, z.ZodType>, 'outputSchema' | 'execute'> &
  InputRequest<Input, Request> & { readonly answer: Answer }): ToolDefinition {
  return defineStripeTool<Input, z.ZodType>({
    ...definition,
    outputSchema: answer.shape,
    async execute(input, { service }) {
      return answer.read(await send(service, { request, input: input as object, ...defined({ parameters }) }));
    },
  });
}
