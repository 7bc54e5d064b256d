import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolConfigLevels } from '../domain/task-scope.js';
import { allowsApp, type LevelledToolConfig, resolveToolConfig } from './tool-config.js';

describe('R-inheritance: the tools of a task', () => {
  it('R-inheritance: without a level everything is allowed', () => {
    expect(resolveToolConfig([])).toEqual({
      apps: 'all',
      disabled: [],
      includeDefaults: true,
      requiredApps: [],
      impossible: [],
      why: {},
    });
  });

  it('R-inheritance: each level narrows, and the answer names the level that decided about each app', () => {
    const resolved = resolveToolConfig([
      { level: 'org', enabled: ['GitHub', 'Slack', 'linear', 'Twitter'], requiredApps: ['github'] },
      { level: 'repo', disabled: ['Twitter'] },
      { level: 'issue', enabled: ['GITHUB', 'slack', 'stripe', 'twitter'], includeDefaults: false },
      { level: 'assignment', enabled: ['github', 'stripe'], includeDefaults: true },
    ]);
    expect(resolved).toEqual({
      apps: ['github'],
      disabled: ['twitter'],
      includeDefaults: false,
      limitedBy: 'org',
      defaultsOffBy: 'issue',
      requiredApps: ['github'],
      impossible: [],
      why: {
        github: { level: 'assignment', way: 'enabled', requiredBy: 'org' },
        slack: { level: 'assignment', way: 'left_out' },
        linear: { level: 'issue', way: 'left_out' },
        twitter: { level: 'repo', way: 'disabled' },
        stripe: { level: 'org', way: 'left_out' },
      },
    });
  });

  it('R-inheritance: a required app that a level excludes is reported with both levels', () => {
    const resolved = resolveToolConfig([
      { level: 'issue', requiredApps: ['slack', 'linear'] },
      { level: 'org', disabled: ['Slack'] },
    ]);
    expect(resolved).toMatchObject({ apps: 'all', requiredApps: ['linear', 'slack'], impossible: ['slack'] });
    expect(resolved.why).toEqual({
      slack: { level: 'org', way: 'disabled', requiredBy: 'issue' },
      linear: { level: 'issue', way: 'required', requiredBy: 'issue' },
    });
  });

  it('R-inheritance: an app is the same in every written form', () => {
    for (const form of ['Google Calendar', 'googleCalendar', 'GOOGLE_CALENDAR', 'google-calendar', 'googlecalendar']) {
      const resolved = resolveToolConfig([
        { level: 'org', enabled: ['google_calendar'] },
        { level: 'repo', disabled: [form] },
      ]);
      expect(resolved, form).toMatchObject({ apps: [], disabled: ['google_calendar'] });
      expect(allowsApp(resolved, 'google_calendar')).toBe(false);
    }
    const enabled = resolveToolConfig([{ level: 'org', enabled: ['GoogleCalendar'] }]);
    expect(enabled.apps).toEqual(['googlecalendar']);
    expect(allowsApp(enabled, 'google_calendar')).toBe(true);
  });

  it('R-inheritance: an unknown level and an invalid name are refused', () => {
    const refused = (config: object) => () => resolveToolConfig([config as LevelledToolConfig]);
    expect(refused({ level: 'team' })).toThrow(/no level "team"/);
    expect(refused({ level: 'org', disabled: ['-'] })).toThrow(/not the name of an app/);
  });
});

describe('R-inheritance: whatever the levels are', () => {
  const apps = ['github', 'GitHub', 'slack', 'Slack', 'Google Calendar', 'google_calendar', 'linear', 'web-search'];
  const list = fc.option(fc.array(fc.constantFrom(...apps), { maxLength: 5 }), { nil: undefined });
  const config: fc.Arbitrary<LevelledToolConfig> = fc.record({
    level: fc.constantFrom(...toolConfigLevels),
    enabled: list,
    disabled: list,
    includeDefaults: fc.option(fc.boolean(), { nil: undefined }),
    requiredApps: list,
  });
  const configs = fc.array(config, { maxLength: 7 });

  it('R-inheritance: no further level widens, wherever it is put and whatever it is', () => {
    fc.assert(
      fc.property(configs, config, fc.nat(), (levels, more, at) => {
        const before = resolveToolConfig(levels);
        const after = resolveToolConfig(levels.toSpliced(at % (levels.length + 1), 0, more));
        for (const app of [...apps, 'notion'])
          if (allowsApp(after, app)) expect(allowsApp(before, app), app).toBe(true);
        if (after.includeDefaults) expect(before.includeDefaults).toBe(true);
        expect(after.requiredApps.length).toBeGreaterThanOrEqual(before.requiredApps.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('R-inheritance: neither the order nor a duplicate changes what is allowed', () => {
    fc.assert(
      fc.property(configs, (levels) => {
        const allowed = (of: readonly LevelledToolConfig[]) => {
          const resolved = resolveToolConfig(of);
          return [apps.map((app) => allowsApp(resolved, app)), resolved.includeDefaults, resolved.requiredApps];
        };
        const expected = allowed(levels);
        expect(allowed(levels.toReversed())).toEqual(expected);
        expect(allowed([...levels, ...levels])).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('R-inheritance: what is disabled or left out anywhere is not allowed, and the reasons agree with the result', () => {
    fc.assert(
      fc.property(configs, (levels) => {
        const resolved = resolveToolConfig(levels);
        for (const { enabled, disabled = [] } of levels) {
          for (const app of disabled) expect(allowsApp(resolved, app)).toBe(false);
          if (enabled)
            for (const app of apps)
              if (allowsApp(resolved, app))
                expect(allowsApp(resolveToolConfig([{ level: 'org', enabled }]), app)).toBe(true);
        }
        for (const [app, { way }] of Object.entries(resolved.why))
          expect(allowsApp(resolved, app), `${app}: ${way}`).toBe(
            way === 'enabled' || (way === 'required' && resolved.apps === 'all'),
          );
      }),
      { numRuns: 2_000 },
    );
  });
});
