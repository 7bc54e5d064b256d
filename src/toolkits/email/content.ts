/**
 * The content of a mail: subject and body as given, or one of the operator's templates with the caller's values in it.
 */
import { HelveError } from '../../domain/errors.js';
import { type Bodies, checkSubject, readBodies } from '../../util/mail/message.js';
import { listNames, suggestName } from '../../util/nearest.js';
import type { EmailConfig, EmailInput, EmailSettings } from './shapes.js';

interface Content extends Bodies {
  readonly subject: string;
}

type Values = NonNullable<EmailInput['variables']>;

export function readContent(input: EmailInput, config: EmailConfig, settings: EmailSettings): Content {
  const content =
    input.template === undefined ? readWritten(input, config) : fill(input.template, { input, config, settings });
  checkSubject(content.subject);
  return content;
}

function readWritten({ subject, variables, ...input }: EmailInput, { templates_only }: EmailConfig): Content {
  if (templates_only) {
    throw new HelveError('forbidden', 'Only mails from a template may be sent', {
      hint: 'Send template and variables.',
    });
  }
  const bodies = readBodies(input);
  const isEmpty = bodies.text === undefined && bodies.html === undefined;
  if (subject === undefined || isEmpty || variables !== undefined) {
    throw new HelveError('invalid_input', 'A mail needs subject and body, or template with variables');
  }
  return { subject, ...bodies };
}

interface Filling {
  readonly input: EmailInput;
  readonly config: EmailConfig;
  readonly settings: EmailSettings;
}

function fill(name: string, { input, config, settings: { templates } }: Filling): Content {
  if (input.subject !== undefined || input.body !== undefined || input.html) {
    throw new HelveError('invalid_input', 'subject, body and html come from the template; send only its variables');
  }
  const names = Object.keys(templates).filter((one) => config.allowed_templates?.includes(one) ?? true);
  const template = names.includes(name) ? templates[name] : undefined;
  if (!template) {
    throw new HelveError('not_found', `There is no template ${JSON.stringify(name)}`, {
      hint: suggestName(name, names, `There are: ${listNames(names)}.`),
    });
  }
  const values = input.variables ?? {};
  // The default inside a record of settings is not applied, so html may be absent.
  const html = template.html === true;
  checkNames(name, `${template.subject}${template.body}`, values);
  const body = replaceNames(template.body, values, html);
  return { subject: replaceNames(template.subject, values, false), ...readBodies({ body, html }) };
}

const placeholder = /\{\{ ?([A-Za-z_][A-Za-z0-9_]{0,63}) ?\}\}/g;

function checkNames(template: string, text: string, values: Values): void {
  const wanted = [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))];
  const missing = wanted.filter((name) => !Object.hasOwn(values, name));
  const unknown = Object.keys(values).filter((name) => !wanted.includes(name));
  if (missing.length === 0 && unknown.length === 0) return;
  const problems = [
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`not in it: ${unknown.join(', ')}`] : []),
  ];
  throw new HelveError('invalid_input', `The variables do not fit template ${template}; ${problems.join('; ')}`, {
    hint: `Its variables are ${wanted.join(', ') || 'none'}.`,
  });
}

/** Replaces all placeholders in one pass, so that a value that looks like a placeholder stays text. */
function replaceNames(text: string, values: Values, html: boolean): string {
  return text.replace(placeholder, (_, name: string) => {
    const value = String(values[name]);
    return html ? escapeHtml(value) : value;
  });
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
