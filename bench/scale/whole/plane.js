// Opens the installation of a folder, for the seed and for the processes that are measured.
const root = new URL(process.env.HELVE_DIST ?? '../../../dist/', import.meta.url);
const { createHelve } = await import(new URL('bundle/index.js', root));

export { root };

/** The numbers of items in a store: `share` of the whole large one, or at least one page of each list. */
export function sizesOf(share) {
  const sized = (whole, page) => Math.max(page, Math.round(whole * share));
  return {
    agents: sized(1_000, 50),
    accounts: sized(2_000, 50),
    policies: sized(5_000, 0),
    // A page of the calls of one agent, and of the rows of one tool, needs this many.
    rows: sized(1_000_000, 10_000),
  };
}

/** The plane over the folder; a Composio that does not answer is not reported. */
export function openPlane(dataDir, composio = 'http://127.0.0.1:9') {
  return createHelve({
    dataDir,
    config: `composio:\n  api_key: ak_test\n  base_url: ${composio}\n`,
    limits: { perIp: null, perCredential: null, perPrincipal: null, perTool: null },
    reportError: () => {},
  });
}

/** The admin of the workspace. */
export async function signIn(helve) {
  const { workspaceId } = await helve.ensureWorkspace('default');
  const { principal } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
  return { workspaceId, admin: principal };
}
