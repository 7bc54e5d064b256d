/** `helve recipe`: steps that agents take one after the other, each with its tools. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Api } from '../../../api/index.js';
import { HelveError } from '../../../domain/errors.js';
import { isPlainObject } from '../../../util/canonical.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { printable } from '../print.js';

type Recipe = Api['GET /api/recipes/:name']['reply'];
type NewRecipe = Api['PUT /api/recipes/:name']['body'];

export function addRecipe(program: Command, settings: CliSettings): void {
  const recipe = program
    .command('recipe')
    .description('steps that agents take one after the other, each with its tools');
  withSharedOptions(recipe.command('list', { isDefault: true }), settings)
    .description('list the recipes')
    .action(
      action<[]>(async ({ client, output }) => {
        const { recipes } = await client.call('GET /api/recipes');
        const rows = output.json
          ? recipes
          : recipes.map(({ name, title = '', repo = '', steps }) => ({ name, title, repo, steps: steps.length }));
        output.table(rows, ['name', 'title', 'repo', 'steps'], 'There are no recipes.');
      }),
    );
  withSharedOptions(recipe.command('show <name>'), settings)
    .description('show the steps of a recipe')
    .action(
      action<[string]>(async ({ client, output }, name) => {
        const shown = await client.call('GET /api/recipes/:name', { params: { name } });
        output.value(shown, printable(tell(shown).join('\n')));
      }),
    );
  withSharedOptions(recipe.command('set <name>'), settings)
    .description('make a recipe, or replace the one with this name')
    .requiredOption('--file <path>', 'a YAML or JSON file with its steps, or - for standard input')
    .option('--if-version <version>', 'replace only this version')
    .action(
      action<[string, { readonly file: string; readonly ifVersion?: string }]>(
        async ({ client, output }, name, { file, ifVersion }) => {
          const body = await readRecipe(file);
          const condition = ifVersion === undefined ? {} : { ifMatch: ifVersion };
          const set = await client.call('PUT /api/recipes/:name', { params: { name }, body, ...condition });
          output.value(set, printable([...tell(set), ...(set.notice === undefined ? [] : [set.notice])].join('\n')));
        },
      ),
    );
  withSharedOptions(recipe.command('remove <name>'), settings)
    .description('remove a recipe; issues that have it begin no further attempt')
    .action(
      action<[string]>(async ({ client, output }, name) => {
        await client.call('DELETE /api/recipes/:name', { params: { name } });
        output.value({ removed: name }, `${printable(name)} is removed.`);
      }),
    );
}

const example = 'steps: [{ prompt: "Find the cause", tools: [search_code, get_file_content] }]';

/** The server checks the content. */
async function readRecipe(path: string): Promise<NewRecipe> {
  const text = readFileSync(path === '-' ? 0 : path, 'utf8');
  const given = await parseText(path, text);
  if (isPlainObject(given)) return given as unknown as NewRecipe;
  throw new HelveError('invalid_input', `${path} has no recipe in it`, { hint: `Write ${example}` });
}

async function parseText(path: string, text: string): Promise<unknown> {
  // Loaded here, so that other commands start without it.
  const { parse } = await import('yaml');
  try {
    return parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new HelveError('invalid_input', `${path} is not YAML: ${why}`, { hint: `Write ${example}` });
  }
}

function tell({ name, title, repo, steps, version }: Recipe): readonly string[] {
  return [
    title === undefined ? name : `${name}  ${title}`,
    ...(repo === undefined ? [] : [`only for issues of ${repo}`]),
    `version ${version}`,
    ...steps.flatMap(({ prompt, tools }, at) => [`${at + 1}. ${prompt}`, `   ${tools.join(', ') || 'no tools'}`]),
  ];
}
