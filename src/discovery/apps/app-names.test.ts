/** Names of apps in requests. */
import { expect, it } from 'vitest';
import { createAppNames } from './app-names.js';

const never = () => false;

it('R-tiers: a name that is complete in one spelling and short in another counts as complete', () => {
  const apps = createAppNames();
  apps.add(1, 'clickup-api', 'ClickUp');
  apps.add(2, 'close-api', 'Close API');
  const sureOf = (...words: string[]) =>
    apps.mentions(words, never).map(({ apps: own, confidence }) => [own, confidence]);
  expect(sureOf('in', 'ClickUp')).toEqual([[[1], 0.95]]);
  expect(sureOf('in', 'Close')).toEqual([[[2], 0.9 * 0.95]]);
  expect(sureOf('in', 'Close', 'API')).toEqual([[[2], 0.95]]);
});

it('R-tiers: removing an app removes its names, except those that it shares with others', () => {
  const apps = createAppNames();
  apps.add(1, 'mail', 'Mail');
  apps.add(2, 'mail-app', 'Mail');
  expect(apps.mentions(['mail'], never)[0]?.apps).toEqual([1, 2]);
  apps.remove(1, 'mail', 'Mail');
  expect(apps.mentions(['mail'], never)[0]?.apps).toEqual([2]);
  apps.remove(2, 'mail-app', 'Mail');
  expect([apps.has('mail'), apps.mentions(['mail'], never)]).toEqual([false, []]);
});

it('R-tiers: one capital among small letters is that of a name, and so is a last word after `in`, unless it is a thing', () => {
  const apps = createAppNames();
  for (const [number, name] of ['slack', 'monday', 'close', 'calendar'].entries()) apps.add(number, name, name);
  const sure = (text: string) => apps.mentions(text.split(' '), () => true)[0]?.confidence ?? 0;
  expect(sure('send a message to a Slack channel')).toBeGreaterThanOrEqual(0.7);
  expect(sure('post the report in slack')).toBeGreaterThanOrEqual(0.7);
  for (const text of [
    'give me some slack please',
    'move the meeting to monday',
    'i want the deal to close',
    'put it in calendar',
  ])
    expect(sure(text), text).toBeLessThan(0.7);
  expect(sure('Send A Message To The Slack Channel')).toBeLessThan(0.7);
});

it('R-tiers: a capital inside a word is that of a name, and so is a word before a colon at the beginning', () => {
  const apps = createAppNames();
  for (const [number, name] of ['GitHub', 'Breeze', 'Close'].entries()) apps.add(number, name.toLowerCase(), name);
  const sure = (text: string, heading = 0) => apps.mentions(text.split(' '), () => true, heading)[0]?.confidence ?? 0;
  expect(sure('List GitHub Actions Workflows')).toBeGreaterThanOrEqual(0.9);
  expect(sure('List Github Actions Workflows')).toBeLessThan(0.7);
  expect(sure('breeze all workspaces')).toBeLessThan(0.7);
  expect(sure('breeze all workspaces', 1)).toBeGreaterThanOrEqual(0.9);
  expect(sure('close all of them', 1)).toBeLessThan(0.7);
});

it('R-tiers: an app is known by its usual short forms, if it is in the catalogue', () => {
  const apps = createAppNames();
  expect(apps.has('gcal')).toBe(false);
  apps.add(1, 'googlecalendar', 'Google Calendar');
  expect(apps.mentions(['gcal'], never)[0]).toMatchObject({ apps: [1] });
  apps.remove(1, 'googlecalendar', 'Google Calendar');
  expect(apps.has('gcal')).toBe(false);
});
