// Opens the installation of a folder, for the seed and for the processes that are measured.
const root = new URL(process.env.HELVE_DIST ?? '../../../dist/', import.meta.url);
const { createHelve } = await import(new URL('bundle/index.js', root));

export { root };

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
