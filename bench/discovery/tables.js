// Tables as Markdown, so that what a run prints can stand in the README as it is.
const shown = (value) => (typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : String(value));

/** `rows` by name; the columns are those of the first. */
export function printTable(title, rows) {
  const columns = Object.keys(Object.values(rows)[0] ?? {});
  console.log(`\n| ${[title, ...columns].join(' | ')} |`);
  console.log(`|---${'|---'.repeat(columns.length)}|`);
  for (const [name, row] of Object.entries(rows))
    console.log(`| ${[name, ...columns.map((column) => shown(row[column]))].join(' | ')} |`);
}
