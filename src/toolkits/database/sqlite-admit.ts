/**
 * Which SQL an agent may send to SQLite: one statement of a known kind, with functions and table modules that only
 * compute. The SQLite that is linked in also has functions that read and write files, and modules that read folders and
 * memory; what is not listed here is refused. The functions of a statement are those of SQLite's own compiled program
 * (`explain`), not those that its text seems to name. The process that runs it holds nothing but the database all the same.
 */

/**
 * Functions for text, JSON, dates, numbers, aggregates and full text: they compute from their arguments and do nothing
 * else.
 */
const functions = `
  -> ->> abs acos acosh asin asinh atan atan2 atanh atn2 avg bm25 ceil ceiling changes char charindex coalesce concat
  concat_ws cos cosh cot coth count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank
  difference exp first_value floor format geopoly_area geopoly_bbox geopoly_blob geopoly_ccw geopoly_contains_point
  geopoly_group_bbox geopoly_json geopoly_overlap geopoly_regular geopoly_svg geopoly_within geopoly_xform glob group_concat
  hex highlight ifnull iif instr json json_array json_array_length json_error_position json_extract json_group_array
  json_group_object json_insert json_object json_patch json_quote json_remove json_replace json_set json_type json_valid
  jsonb jsonb_array jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch jsonb_remove
  jsonb_replace jsonb_set julianday lag last_insert_rowid last_value lead leftstr length like likelihood likely ln log log10
  log2 lower lower_quartile ltrim match matchinfo max median min mod mode nth_value ntile nullif octet_length offsets padc padl
  padr percent_rank pi pow power printf proper quote radians random randomblob rank regexp regexpi replace replicate reverse
  rightstr round row_number rtrim sha3 sign sin sinh snippet soundex sqlite_source_id sqlite_version sqrt square stdev
  strfilter strftime string_agg substr substring sum tan tanh time timediff total total_changes trim trunc typeof unhex
  unicode unixepoch unlikely upper upper_quartile uuid uuid_blob uuid_str variance vector vector16 vector1bit vector32
  vector64 vector8 vector_distance_cos vector_distance_l2 vector_extract vectorb16 zeroblob`;

/**
 * Internal functions of SQLite, which its program for ALTER TABLE uses. SQLite refuses them in the text of a statement.
 */
const internalFunctions =
  'sqlite_rename_table sqlite_rename_column sqlite_rename_test sqlite_rename_quotefix sqlite_drop_column';

/** Tables that are computed, and facts about tables. */
const tableModules =
  'json_each json_tree generate_series pragma_table_info pragma_table_xinfo pragma_table_list pragma_index_list pragma_index_info pragma_index_xinfo pragma_foreign_key_list';

const reading = ['select', 'with', 'values', 'explain'];
const writing = ['insert', 'replace', 'update', 'delete', 'alter', 'analyze', 'reindex'];
const made = ['table', 'index', 'view'];

/** The lists of what is admitted, as data for the process that runs the statements. */
export const admitted = {
  functions: `${functions} ${internalFunctions}`.trim().split(/\s+/),
  modules: tableModules.split(' '),
  reading,
  writing,
  made,
};

/** A statement, and what the process knows about it before running it. */
export interface Candidate {
  readonly sql: string;
  readonly writes: boolean;
  readonly admitted: typeof admitted;
  /**
   * Returns the rows of `explain <statement>`, which compiles the statement without running it. Throws SQLite's own
   * error if it does not compile.
   */
  readonly program: (statement: string) => readonly { readonly opcode: string; readonly p4: unknown }[];
  /** Names of the modules from which tables can be made. */
  readonly modules: readonly string[];
  /** Names of the tables and views in the database: they take precedence over modules of the same name. */
  readonly tables: readonly string[];
}

interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'end' | 'other';
  readonly text: string;
  /** Offset of its first character in the statement. */
  readonly at: number;
}

/** Words and quoted names in lower case, without comments and white space. */
function readTokens(sql: string): Token[] {
  const pattern =
    /(?<gap>\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<text>'(?:[^']|'')*'?)|(?<name>"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?)|(?<word>[\p{L}_\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*)|(?<end>;)|[\s\S]/gu;
  const tokens: Token[] = [];
  for (const { 0: text, index: at, groups = {} } of sql.matchAll(pattern)) {
    const bare = text.slice(1, -1).toLowerCase();
    if (groups.word !== undefined) tokens.push({ kind: 'word', text: text.toLowerCase(), at });
    else if (groups.name !== undefined) tokens.push({ kind: 'name', text: bare, at });
    else if (groups.text !== undefined) tokens.push({ kind: 'text', text: bare, at });
    else if (groups.gap === undefined) tokens.push({ kind: groups.end === undefined ? 'other' : 'end', text, at });
  }
  return tokens;
}

/** Returns why the statement may not run, or undefined if it may. Throws SQLite's own error if it does not compile. */
export function explainRefusal(candidate: Candidate): string | undefined {
  const { sql, program } = candidate;
  if (sql.includes('\0')) return 'the statement holds a NUL character';
  const all = readTokens(sql);
  const start = all.findIndex(({ kind }) => kind !== 'end');
  const end = all.findIndex(({ kind }, at) => at > start && kind === 'end');
  const tokens = all.slice(Math.max(start, 0), end === -1 ? undefined : end);
  if (end !== -1 && all.slice(end).some(({ kind }) => kind !== 'end'))
    return 'only one statement may be sent at a time';

  const words = tokens.filter(({ kind }) => kind === 'word');
  const [first, second, third] = words.map(({ text }) => text);
  // A statement behind EXPLAIN does not run, but it is compiled and checked too.
  const skipped = first !== 'explain' ? 0 : second === 'query' && third === 'plan' ? 3 : 1;
  const compiled = program(sql.slice(words[skipped]?.at ?? 0));
  return refusedKind(tokens, candidate) ?? refusedTable(tokens, candidate) ?? refusedFunction(compiled, candidate);
}

function refusedKind(tokens: readonly Token[], { writes, admitted }: Candidate): string | undefined {
  const [first, ...others] = tokens.flatMap(({ kind, text }) => (kind === 'word' ? [text] : []));
  const object = others.find((text) => !['temp', 'temporary', 'unique'].includes(text)) ?? '';
  const reads = admitted.reading.includes(first ?? '');
  const makes = /^(?:create|drop)$/.test(first ?? '') && admitted.made.includes(object);
  if (tokens[0]?.kind !== 'word' || !(reads || makes || admitted.writing.includes(first ?? '')))
    return `a statement that begins with ${JSON.stringify(first)} is not allowed`;
  return writes || reads ? undefined : 'only a statement that returns rows may run here';
}

function refusedTable(tokens: readonly Token[], { admitted, modules, tables }: Candidate): string | undefined {
  const known = new Set(modules);
  const own = new Set(tables);
  const isModule = (name: string): boolean => known.has(name) || name.startsWith('pragma_');
  const module = tokens.find(({ text }) => isModule(text) && !own.has(text) && !admitted.modules.includes(text));
  return module && `the table ${module.text} is not allowed (pass it as a parameter if it is only a value)`;
}

function refusedFunction(compiled: ReturnType<Candidate['program']>, { admitted }: Candidate): string | undefined {
  const called = compiled.flatMap(({ opcode, p4 }) => (/^(?:Pure)?Func|^Agg/.test(opcode) ? [String(p4)] : []));
  const names = called.map((name) => name.replace(/\(-?\d+\)$/, '').toLowerCase());
  const refused = names.find((name) => !admitted.functions.includes(name));
  return refused === undefined ? undefined : `the function ${refused} is not allowed`;
}
