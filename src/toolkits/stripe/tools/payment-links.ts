/** Payment links: an address at which anybody can buy what it lists. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineStripeTool } from '../define-tool.js';
import * as field from '../inputs.js';
import { at, given, idOf, type Reference, read, readPage, write } from '../requests.js';

const linkId = field.idField('Id of the payment link: plink_…');

const linkShape = z.strictObject({
  id: z.string(),
  url: z.string().describe('To give to buyers'),
  active: z.boolean(),
  currency: z.string().optional(),
  allow_promotion_codes: z.boolean().optional(),
  after_completion_url: z.string().optional().describe('Where buyers go afterwards'),
  line_items: z
    .array(z.strictObject({ id: z.string(), price: z.string().optional(), quantity: z.number().optional() }))
    .optional()
    .describe('What is sold; not in lists'),
  metadata: field.metadataOutput,
});

interface RawLink {
  readonly id: string;
  readonly url: string;
  readonly active: boolean;
  readonly currency?: string | null;
  readonly allow_promotion_codes?: boolean;
  readonly after_completion?: { readonly redirect?: { readonly url: string } | null } | null;
  readonly line_items?: {
    readonly data: readonly { readonly id: string; readonly price?: Reference; readonly quantity?: number | null }[];
  };
  readonly metadata?: Readonly<Record<string, string>>;
}

const toLink = (raw: RawLink): z.input<typeof linkShape> => ({
  id: raw.id,
  url: raw.url,
  active: raw.active,
  currency: given(raw.currency),
  allow_promotion_codes: raw.allow_promotion_codes,
  after_completion_url: raw.after_completion?.redirect?.url,
  line_items: raw.line_items?.data.map(({ id, price, quantity }) => ({
    id,
    price: idOf(price),
    quantity: given(quantity),
  })),
  metadata: raw.metadata,
});

/** Stripe leaves them out unless asked. */
const expand = ['line_items'];

const facts = {
  allow_promotion_codes: z.boolean().optional(),
  after_completion_url: field.webAddress.optional().describe('Where buyers go afterwards, in place of Stripe’s page'),
  metadata: field.metadata,
};

const afterwards = (url: string | undefined) =>
  url === undefined ? undefined : { type: 'redirect', redirect: { url } };

export const listPaymentLinks = defineStripeTool({
  name: 'list_payment_links',
  title: 'List payment links',
  description: 'Payment links, newest first.',
  inputSchema: z.strictObject({ active: z.boolean().optional(), ...field.paging }),
  outputSchema: field.pageOf('payment_links', linkShape),
  annotations: effects.reads,
  capabilities: ['list payment links'],
  async execute(input, { service }) {
    const { data, next } = await readPage<RawLink>(service, at('payment_links'), input);
    return { payment_links: data.map(toLink), next };
  },
});

export const getPaymentLink = defineStripeTool({
  name: 'get_payment_link',
  title: 'Get a payment link',
  description: 'One payment link by id, with what it sells.',
  inputSchema: z.strictObject({ payment_link: linkId }),
  outputSchema: linkShape,
  annotations: effects.reads,
  capabilities: ['get payment link', 'read payment link'],
  async execute({ payment_link }, { service }) {
    return toLink(await read<RawLink>(service, at('payment_links', payment_link), { expand }));
  },
});

export const createPaymentLink = defineStripeTool({
  name: 'create_payment_link',
  title: 'Create a payment link',
  description: 'Make an address at which anybody can buy the given prices.',
  inputSchema: z.strictObject({
    line_items: z
      .array(z.strictObject({ price: field.priceId, quantity: z.int().min(1).max(999_999) }))
      .min(1)
      .max(20),
    ...facts,
  }),
  outputSchema: linkShape,
  annotations: effects.creates,
  capabilities: ['create payment link'],
  async execute({ after_completion_url, ...input }, { service }) {
    const parameters = { ...input, after_completion: afterwards(after_completion_url), expand };
    return toLink(await write<RawLink>(service, at('payment_links'), parameters));
  },
});

export const updatePaymentLink = defineStripeTool({
  name: 'update_payment_link',
  title: 'Update a payment link',
  description: 'Change what is given and leave the rest. active: false closes it.',
  inputSchema: z.strictObject({ payment_link: linkId, active: z.boolean().optional(), ...facts }),
  outputSchema: linkShape,
  annotations: effects.replaces,
  risk: 'write',
  capabilities: ['update payment link', 'deactivate payment link'],
  async execute({ payment_link, after_completion_url, ...input }, { service }) {
    const parameters = { ...input, after_completion: afterwards(after_completion_url), expand };
    return toLink(await write<RawLink>(service, at('payment_links', payment_link), parameters));
  },
});
