/** What an agent is offered, how much of the context that takes, and what it was granted but is not offered. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { Empty, Facts, RuleName, Status, Table, ToolName } from '../ui/index.js';
import { FilterBar } from './filters.js';
import css from './pages.module.css';

type Effective = Reply<'GET /api/agents/:agent/effective'>;

/** How many tools are shown at once. The filter finds the others. */
const maxRows = 200;
const marks = { none: 'allow', required: 'require_approval', depends: 'unknown', denied: 'deny' } as const;

export function CanDo({ effective }: { effective: Effective }) {
  const text = useText();
  const { showNumber } = useFormats();
  const [words, setWords] = useState<string | undefined>();
  const { tools, mode, notOffered } = effective;
  const found = tools.filter(({ name }) => name.toLowerCase().includes((words ?? '').toLowerCase()));
  return (
    <>
      <Facts
        rows={[
          [text.toolCount, showNumber(tools.length)],
          [text.contextCost, text.tokenCount(showNumber(mode.tokens))],
          [text.toolMode, `${text.toolModes[mode.set]} → ${text.shows[mode.shows]}`],
          [
            text.why,
            <span key="why" lang="en">
              {mode.reason}
            </span>,
          ],
        ]}
      />
      <h2>{text.offered}</h2>
      {tools.length === 0 ? (
        <Empty>{text.offersNothing}</Empty>
      ) : (
        <>
          <FilterBar value={words} onChange={setWords} />
          <Table
            label={text.offered}
            head={[text.tool, text.risk, text.approval, text.tokens]}
            rows={found.slice(0, maxRows).map(({ name, risk, approval, rule, tokens }) => ({
              key: name,
              cells: [
                <Link key="name" to="/find/explain" search={{ agent: effective.agent, tool: name }}>
                  <ToolName name={name} />
                </Link>,
                text.risks[risk as keyof typeof text.risks],
                <span key="approval" title={rule}>
                  <Status kind={marks[approval]}>{text.approvals[approval]}</Status>
                </span>,
                showNumber(tokens),
              ],
            }))}
          />
          {found.length > maxRows ? <p className={css.dim}>{text.cut(maxRows, found.length)}</p> : undefined}
        </>
      )}
      {notOffered.length === 0 ? undefined : (
        <>
          <h2>{text.notOffered}</h2>
          <Table
            label={text.notOffered}
            head={[text.tool, text.rule, text.why]}
            rows={notOffered.slice(0, maxRows).map(({ tool, connection, rule, reason }) => ({
              key: `${connection} ${tool}`,
              cells: [
                <ToolName key="name" name={connection === undefined ? tool : `${connection}__${tool}`} />,
                <RuleName key="rule" rule={rule} />,
                <span key="reason" lang="en">
                  {reason}
                </span>,
              ],
            }))}
          />
        </>
      )}
    </>
  );
}
