// Tables as Markdown, so that the output of a run can be copied to the README.
const shown = (value) => (typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : String(value));

/** `rows` are by name; the first row decides the columns. */
export function printTable(title, rows) {
  const columns = Object.keys(Object.values(rows)[0] ?? {});
  console.log(`\n| ${[title, ...columns].join(' | ')} |`);
  console.log(`|---${'|---'.repeat(columns.length)}|`);
  for (const [name, row] of Object.entries(rows))
    console.log(`| ${[name, ...columns.map((column) => shown(row[column]))].join(' | ')} |`);
}

/** Which sets reach their bars, and what the others lack. */
export function printVerdicts(verdicts) {
  console.log('\n| set | at its bars | lacks |\n|---|---|---|');
  for (const { set, missing } of verdicts)
    console.log(`| ${set} | ${missing.length === 0 ? 'yes' : '**no**'} | ${missing.join('; ')} |`);
}
