/**
 * Approval by elicitation: the person who uses the client sees the exact call and approves or rejects it.
 *
 * Up to 2025-11-25 the question is a request on the call's own stream. Since 2026-07-28 it is an interim
 * result, and the client returns the answer with the state that it received. That state is sealed,
 * short-lived and bound to the caller, the tool and the arguments; it permits one decision on
 * one approval, and the plane still runs an approval only once.
 */
import {
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { toHelveError } from '../../domain/errors.js';
import type { ToolFailure, ToolResult } from '../../domain/execution.js';
import type { Principal } from '../../domain/principal.js';
import { isPlainObject } from '../../util/canonical.js';
import { listCapabilities } from './conversation.js';
import type { McpParts } from './parts.js';
import { canElicit } from './questions.js';
import { patienceMs, type WaitingForPerson } from './request-state.js';

/** One running call, with everything that is needed to ask a person. */
export interface Round {
  readonly parts: McpParts;
  readonly server: Server;
  readonly context: ServerContext;
  readonly principal: Principal;
  readonly tool: string;
  readonly input: unknown;
  /** Computes the fingerprint of this call. */
  readonly call: () => string;
  /** An interim result: the tool is running, and asks the client. */
  execute(approvalId?: string): Promise<ToolResult | InputRequiredResult>;
}

type Answer = 'approved' | 'rejected' | 'none';

const question = 'approval';
/** A person cannot check more than this; the approval page shows it better. */
const maxShownCharacters = 8_000;

/** The second request of a 2026-07-28 round, with the state from the answer to the first one. */
export async function continueAfterPerson(
  round: Round,
  waiting: WaitingForPerson,
): Promise<ToolResult | InputRequiredResult> {
  const { mcpReq } = round.context;
  const answer = answerIn(inputResponse(ownMember(mcpReq.inputResponses, question), question));
  return settle(round, waiting.approvalId, answer, () => round.execute(waiting.approvalId));
}

/** Asks if the client can; otherwise returns the refusal with its link and hint. */
export async function askPerson(round: Round, refused: ToolFailure): Promise<ToolResult | InputRequiredResult> {
  const { approvalId, elicitation } = refused.error.details ?? {};
  const form = formFor(round, refused);
  if (typeof approvalId !== 'string' || form === undefined || elicitation !== true) return refused;
  const { context, parts } = round;
  if (context.mcpReq.envelope !== undefined) {
    if (!canElicit(listCapabilities(context))) return refused;
    const waiting: WaitingForPerson = { approvalId, call: round.call() };
    return inputRequired({
      inputRequests: { [question]: inputRequired.elicit(form) },
      requestState: await parts.requestStates.seal(waiting, context),
    });
  }
  if (!canElicit(round.server.getClientCapabilities())) return refused;
  const { id: relatedRequestId, signal } = context.mcpReq;
  // A client that fails to ask has not answered: the approval stays open for another way.
  const answer = await context.mcpReq
    .elicitInput({ mode: 'form', ...form }, { relatedRequestId, signal, timeout: patienceMs })
    .then(answerIn, (): Answer => 'none');
  return settle(round, approvalId, answer, async () => refused);
}

async function settle(
  round: Round,
  approvalId: string,
  answer: Answer,
  unanswered: () => Promise<ToolResult | InputRequiredResult>,
): Promise<ToolResult | InputRequiredResult> {
  if (answer === 'none') return unanswered();
  const { plane } = round.parts;
  try {
    await plane.answerElicitation(round.principal, approvalId, answer);
  } catch (thrown) {
    // If the approval was switched off, decided elsewhere, expired or deleted, the plane's answer to the call says so.
    const { code } = toHelveError(thrown);
    if (!['forbidden', 'conflict', 'expired', 'not_found'].includes(code)) throw thrown;
    return code === 'forbidden' ? unanswered() : round.execute(approvalId);
  }
  return round.execute(approvalId);
}

/** An answer to another kind of question has no action. */
function answerIn(view: { readonly kind?: unknown; readonly action?: string; readonly content?: unknown }): Answer {
  if (view.action === 'decline') return 'rejected';
  if (view.action !== 'accept') return 'none';
  const { approve } = (ownMember(view.content, 'approve') ?? {}) as { approve?: unknown };
  if (typeof approve !== 'boolean') return 'none';
  return approve ? 'approved' : 'rejected';
}

/** Reads only that member, and only an own property: a client's `__proto__` is not an answer. */
function ownMember(object: unknown, key: string): Record<string, unknown> | undefined {
  if (!isPlainObject(object) || !Object.hasOwn(object, key)) return undefined;
  const value = object[key];
  return { [key]: isPlainObject(value) ? { ...value } : value };
}

function formFor({ tool, input }: Round, refused: ToolFailure): Omit<ElicitRequestFormParams, 'mode'> | undefined {
  const shown = visible(JSON.stringify(input, null, 2));
  if (shown.length > maxShownCharacters) return undefined;
  return {
    message: `Allow this call once?\n\n${tool}${getAccount(refused)}\n${shown}\n\nAsked because of: ${refused.rule}`,
    requestedSchema: {
      type: 'object',
      properties: {
        approve: { type: 'boolean', title: 'Approve', description: `Run ${tool} once with these arguments` },
      },
      required: ['approve'],
    },
  };
}

/** The account that would act. */
function getAccount({ error }: ToolFailure): string {
  const { connection, account } = error.details ?? {};
  if (typeof connection !== 'string') return '';
  return visible(`\nwith the account ${connection}${typeof account === 'string' ? ` (${account})` : ''}`);
}

/** Characters that hide or reorder text are shown as their codes. */
function visible(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
