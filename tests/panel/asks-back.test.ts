/** What takes something away from somebody is done only after the person has said so once more. By keyboard, in Chromium. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { vault } from '../../src/plane/acts/testing/vault-toolkit.js';
import { type Ground, startGround, type Visit } from './ground.js';

let ground: Ground;
beforeEach(async () => {
  ground = await startGround({
    nativeToolkits: [],
    toolkits: [vault],
    connections: [{ toolkit: 'vault', name: 'Safe', credentials: { token: 'canary-12345' } }],
  });
});
afterEach(() => ground.close());

/** Answers the dialog, and waits until it has gone. */
async function answer({ page }: Visit, title: string, button: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByRole('button', { name: button, exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

test('R-panel R-people: revoking a key asks back', async () => {
  const { plane, admin } = ground.helve;
  await plane.createApiKey(admin, { name: 'robot', permissions: ['tools:read'] });
  const revoked = async () =>
    (await plane.credentials(admin)).find(({ name }) => name === 'robot')?.revokedAt !== undefined;
  const visit = await ground.visit();
  await visit.open('settings/credentials');
  await visit.use('Revoke: robot');
  await answer(visit, 'Revoke robot?', 'Cancel');
  expect(await revoked()).toBe(false);
  await visit.use('Revoke: robot');
  await answer(visit, 'Revoke robot?', 'Revoke');
  expect(await revoked()).toBe(true);
  await visit.end();
});

test('R-panel R-people: changing a role and disabling a person ask back, enabling does not', async () => {
  const { plane, admin } = ground.helve;
  const { user } = await plane.createUser(admin, { name: 'Mia', role: 'auditor' });
  const mia = async () => (await plane.users(admin)).find(({ id }) => id === user.id);
  const visit = await ground.visit();
  const { page } = visit;
  await visit.open('settings/people');
  const role = page.getByLabel('Role: Mia');
  await role.selectOption('member');
  await answer(visit, 'Change the role of Mia?', 'Cancel');
  expect([await role.inputValue(), (await mia())?.role]).toEqual(['auditor', 'auditor']);
  await role.selectOption('member');
  await answer(visit, 'Change the role of Mia?', 'member');
  expect((await mia())?.role).toBe('member');
  await visit.use('Disable: Mia');
  await answer(visit, 'Disable Mia?', 'Cancel');
  expect((await mia())?.status).not.toBe('disabled');
  await visit.use('Disable: Mia');
  await answer(visit, 'Disable Mia?', 'Disable');
  expect((await mia())?.status).toBe('disabled');
  await visit.use('Enable: Mia');
  await page.getByRole('button', { name: 'Disable: Mia' }).waitFor();
  expect((await mia())?.status).not.toBe('disabled');
  await visit.end();
});

test('R-panel R-instances: withdrawing an account from an agent asks back', async () => {
  const { plane, admin } = ground.helve;
  const granted = async () => (await plane.grantCatalogue(admin, 'tester')).grants.map(({ toolkit }) => toolkit);
  expect(await granted()).toContain('vault');
  const [safe] = await plane.connections(admin);
  const visit = await ground.visit();
  await visit.open(`connections/${safe?.id}`);
  await visit.use('Withdraw: tester');
  await answer(visit, 'Withdraw this account from tester?', 'Cancel');
  expect(await granted()).toContain('vault');
  await visit.use('Withdraw: tester');
  await answer(visit, 'Withdraw this account from tester?', 'Withdraw');
  expect(await granted()).not.toContain('vault');
  await visit.end();
});

test('R-panel R-people: who may not read the record is not asked to, and is offered no export', async () => {
  const auditor = await ground.visit('auditor');
  await auditor.open('record');
  await auditor.page.getByRole('link', { name: 'Export' }).waitFor();
  await auditor.end();
  // A request that is refused would be an error in the console.
  const member = await ground.visit('member');
  await member.open('record');
  await member.page.getByText('Your role may not read the record. An administrator can.').waitFor();
  expect(await member.page.getByRole('link', { name: 'Export' }).count()).toBe(0);
  await member.end();
});
