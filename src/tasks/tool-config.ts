/**
 * Which tools a task may use: the configs of organisation, repository, project, issue and assignment, in this order. Every
 * level can only narrow what came from above, so neither a level too many nor its place can allow more.
 */
import { HelveError } from '../domain/errors.js';
import { toAppKey, toAppName } from '../domain/naming/index.js';
import type { ToolConfig } from '../domain/task.js';
import {
  type AppReason,
  type ResolvedToolConfig,
  type ToolConfigLevel,
  toolConfigLevels,
} from '../domain/task-scope.js';
import { namesApp } from '../util/app-list.js';

/** The config of one level. Levels may be missing, repeated and in any order. */
export interface LevelledToolConfig extends ToolConfig {
  readonly level: ToolConfigLevel;
}

/** What the levels say about one app. */
interface Mention {
  readonly forms: Set<string>;
  excluded?: { readonly level: ToolConfigLevel; readonly way: 'disabled' | 'left_out' };
  disabled?: true;
  enabledBy?: ToolConfigLevel;
  requiredBy?: ToolConfigLevel;
}

/**
 * Names of apps may be in any written form; they are returned in lower case with `_` between words. Throws `invalid_input` for an
 * unknown level, and for a name without letters or digits.
 */
export function resolveToolConfig(levels: readonly LevelledToolConfig[]): ResolvedToolConfig {
  const ordered = inOrder(levels);
  const mentions = mentionsIn(ordered);
  for (const config of ordered) applyLevel(config, mentions);
  const named = [...mentions.values()].map((mention) => ({ ...mention, app: shownForm(mention.forms) }));
  named.sort((a, b) => (a.app < b.app ? -1 : 1));
  const names = (of: (mention: (typeof named)[number]) => boolean) => named.filter(of).map(({ app }) => app);
  const limitedBy = ordered.find(({ enabled }) => enabled)?.level;
  const defaultsOffBy = ordered.find(({ includeDefaults }) => includeDefaults === false)?.level;
  return {
    apps: limitedBy === undefined ? 'all' : names(({ excluded, enabledBy }) => !excluded && enabledBy !== undefined),
    disabled: names(({ disabled }) => disabled === true),
    includeDefaults: defaultsOffBy === undefined,
    ...(limitedBy && { limitedBy }),
    ...(defaultsOffBy && { defaultsOffBy }),
    requiredApps: names(({ requiredBy }) => requiredBy !== undefined),
    impossible: names(({ requiredBy, excluded }) => requiredBy !== undefined && excluded !== undefined),
    why: Object.fromEntries(named.map((mention) => [mention.app, reasonFor(mention)])),
  };
}

/** Whether the levels allow an app, in whichever form it is written. */
export function allowsApp({ apps, disabled }: ResolvedToolConfig, form: string): boolean {
  return apps === 'all' ? !namesApp(disabled, form) : namesApp(apps, form);
}

function inOrder(levels: readonly LevelledToolConfig[]): readonly LevelledToolConfig[] {
  for (const { level } of levels) {
    if (!toolConfigLevels.includes(level))
      throw new HelveError('invalid_input', `There is no level ${JSON.stringify(level)}`, {
        hint: `The levels are ${toolConfigLevels.join(', ')}.`,
      });
  }
  return levels.toSorted((a, b) => toolConfigLevels.indexOf(a.level) - toolConfigLevels.indexOf(b.level));
}

function mentionsIn(levels: readonly LevelledToolConfig[]): Map<string, Mention> {
  const mentions = new Map<string, Mention>();
  for (const { enabled = [], disabled = [], requiredApps = [] } of levels) {
    for (const form of [...enabled, ...disabled, ...requiredApps]) {
      const mention = mentions.get(toAppKey(form)) ?? { forms: new Set<string>() };
      mention.forms.add(toAppName(form));
      mentions.set(toAppKey(form), mention);
    }
  }
  return mentions;
}

function applyLevel({ level, enabled, disabled, requiredApps }: LevelledToolConfig, mentions: Map<string, Mention>) {
  const enables = enabled && new Set(enabled.map(toAppKey));
  const disables = new Set(disabled?.map(toAppKey));
  const requires = new Set(requiredApps?.map(toAppKey));
  for (const [key, mention] of mentions) {
    if (disables.has(key)) {
      mention.disabled = true;
      mention.excluded ??= { level, way: 'disabled' };
    } else if (enables && !enables.has(key)) mention.excluded ??= { level, way: 'left_out' };
    if (enables?.has(key)) mention.enabledBy = level;
    if (requires.has(key)) mention.requiredBy ??= level;
  }
}

function reasonFor({ excluded, enabledBy, requiredBy }: Mention): AppReason {
  const decided = excluded ?? (enabledBy && ({ level: enabledBy, way: 'enabled' } as const));
  if (decided) return { ...decided, ...(requiredBy && { requiredBy }) };
  if (!requiredBy) throw new Error('An app that no level names');
  return { level: requiredBy, way: 'required', requiredBy };
}

/** Of several written forms the one with most words, so that the order of levels does not decide. */
function shownForm(forms: ReadonlySet<string>): string {
  const [shown = ''] = [...forms].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return shown;
}
