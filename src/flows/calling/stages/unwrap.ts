/**
 * Converts a call of `call_tool` to a call of the tool that it names. From here on it is that call, under that tool's
 * grants, policies, approvals and limits; only the audit record says how it came.
 */
import { isCallTool, metaToolkit } from '../../../domain/discovery.js';
import { HelveError } from '../../../domain/errors.js';
import type { CallRequest } from '../../../domain/execution.js';
import type { JsonObject } from '../../../domain/json.js';
import { findAliasPreset } from '../../../domain/naming/index.js';
import { isPlainObject } from '../../../util/canonical.js';
import { defined } from '../../../util/defined.js';
import { type MeantCall, type Refusal, refusal, type StageAnswer } from '../calls.js';
import type { PipelineParts } from '../parts.js';
import { validate } from './validate.js';

/** Matches any written form of the name. Tested before the catalogue look-up, because hardly any call uses it. */
const looksLike = /call_?tool/i;

export function unwrap(
  request: CallRequest,
  executionId: string,
  parts: PipelineParts,
): StageAnswer<MeantCall | Refusal> {
  return looksLike.test(request.tool) ? unwrapNamed(request, executionId, parts) : withPreset(request);
}

async function unwrapNamed(
  request: CallRequest,
  executionId: string,
  parts: PipelineParts,
): Promise<MeantCall | Refusal> {
  const { workspaceId } = request.principal;
  const catalogue = await parts.catalogue(workspaceId, request.tool);
  const target = catalogue.find(request.tool);
  if (!target || !isCallTool(target.tool.id)) return request;
  const configuration = await parts.configurations.getFresh(workspaceId);
  // Its own refusal then follows, as for any tool that is switched off.
  const setting = configuration.toolkits.find(({ toolkit }) => toolkit === metaToolkit);
  if (setting && !(setting.enabled && (setting.enabledTools?.includes(target.tool.id.name) ?? true))) return request;
  const valid = validate({ executionId, request, target, configuration });
  if ('refused' in valid) return valid;
  const { tool, arguments: input, intent = request.intent } = valid.input as unknown as CallToolInput;
  const named = catalogue.find(tool);
  if (named && isCallTool(named.tool.id))
    return refusal(
      'meta.nested',
      new HelveError('invalid_input', 'call_tool does not call itself', {
        hint: 'Name the tool to call: search_tools finds it.',
      }),
    );
  return withPreset({ ...request, tool, input, through: target.name, ...defined({ intent }) });
}

/** `create_pdf` is `create_document` with its format given: from here on the call is the latter. */
function withPreset(request: MeantCall): MeantCall {
  const preset = findAliasPreset(request.tool);
  const { input = {} } = request;
  if (preset === undefined || !isPlainObject(input)) return request;
  return { ...request, input: { ...input, ...preset } };
}

interface CallToolInput {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly intent?: string;
}
