// Asks, on each issue where nothing has happened for 30 days, whether it still matters. See docs/code-mode.md.
interface Issue {
  number: number;
  title: string;
  updatedAt: string;
}

export default async () => {
  const { issues } = (await tracker.listIssues()) as { issues: Issue[] };
  const stale = issues.filter(({ updatedAt }) => Date.parse(updatedAt) < Date.now() - 30 * 86_400_000);
  for (const { number, title } of stale) {
    await tracker.addComment({ number, body: `Nothing has happened here for 30 days. Does “${title}” still matter?` });
    console.log(`asked on issue ${number}`);
  }
  return { asked: stale.map(({ number }) => number) };
};
