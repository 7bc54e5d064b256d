/** Tools whose definition changed at their source. They stay as they were until a person accepts the change. */
import type { ReactNode } from 'react';
import { useText } from '../messages/index.js';
import { useAct, useRead } from '../server/use-api.js';
import { Actions, Button, Empty, Json, Loaded, Page, ProblemBox, revealHidden, Status } from '../ui/index.js';
import css from './pages.module.css';
import { SettingsTabs } from './settings-tabs.js';

const kinds = { same: 'allow', compatible: 'allow', breaking: 'require_approval', suspicious: 'deny' } as const;

export function Definitions(): ReactNode {
  const text = useText();
  const pending = useRead('GET /api/definitions');
  const accept = useAct('POST /api/definitions/:toolkit/:tool/accept');
  return (
    <Page title={text.settingsTabs.definitions}>
      <SettingsTabs />
      <ProblemBox error={accept.error} />
      <Loaded query={pending}>
        {({ definitions }) =>
          definitions.length === 0 ? (
            <Empty>{text.noDefinitions}</Empty>
          ) : (
            definitions.map(({ toolkit, tool, hash, change, changes, flags, before, after }) => (
              <article key={`${toolkit} ${tool}`} className={css.card} aria-label={`${toolkit} ${tool}`}>
                <header>
                  <h3>
                    {toolkit} · {tool}
                  </h3>
                  <Status kind={kinds[change]}>{text.definitionChanges[change]}</Status>
                </header>
                <section>
                  <ul>
                    {[...flags, ...changes].map((line) => (
                      <li key={line} lang="en">
                        {revealHidden(line)}
                      </li>
                    ))}
                  </ul>
                  <div className={css.halves}>
                    <div>
                      <h4>{text.before}</h4>
                      <Json label={text.before} value={before} />
                    </div>
                    <div>
                      <h4>{text.after}</h4>
                      <Json label={text.after} value={after} />
                    </div>
                  </div>
                  <Actions>
                    <Button
                      needs="catalogue:write"
                      disabled={accept.isPending}
                      onClick={() => accept.mutate({ params: { toolkit, tool }, body: { hash } })}
                    >
                      {text.accept}
                    </Button>
                  </Actions>
                </section>
              </article>
            ))
          )
        }
      </Loaded>
    </Page>
  );
}
