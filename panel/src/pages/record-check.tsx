/** Verifying the chain of the record: how far it is, stop, go on, and the first row that is not as it was written. */
import type { ReactNode } from 'react';
import { useFormats, useText } from '../messages/index.js';
import { type CheckEnd, useRecordCheck } from '../server/record-check.js';
import { Button, Status } from '../ui/index.js';
import css from './pages.module.css';

export function RecordCheck(): ReactNode {
  const text = useText();
  const { showNumber } = useFormats();
  const { check, start, stop, resume } = useRecordCheck();
  const { state, checked, total, end } = check;
  return (
    <div className={css.bar}>
      {state === 'running' ? (
        <Button onClick={stop}>{text.stop}</Button>
      ) : (
        <Button onClick={start}>{text.verify}</Button>
      )}
      {state === 'stopped' && checked > 0 ? <Button onClick={resume}>{text.goOn}</Button> : undefined}
      {state === 'running' || state === 'stopped' ? (
        <label>
          {state === 'running' ? text.verifying : text.verifyStopped} {showNumber(checked)} / {showNumber(total)}
          <progress value={checked} max={Math.max(total, 1)} />
        </label>
      ) : undefined}
      <span role="status">
        {state === 'failed' ? <Status kind="failed">{text.verifyFailed}</Status> : undefined}
        {end === undefined ? undefined : <Result end={end} />}
      </span>
    </div>
  );
}

function Result({ end }: { end: CheckEnd }) {
  const text = useText();
  const { showNumber, showTime } = useFormats();
  const { ok, checked, firstBroken, earlier } = end;
  if (ok)
    return (
      <Status kind="active">
        {text.chainOk(showNumber(checked))}
        {earlier === undefined ? '' : ` ${text.chainEarlier(showNumber(earlier.seq), showTime(earlier.at))}`}
      </Status>
    );
  const row = firstBroken?.event;
  return (
    <Status kind="failed">
      {row === undefined
        ? ''
        : `${[text.events[row.type], row.tool, row.actor.name, showTime(row.at)].filter(Boolean).join(' · ')}. `}
      {text.chainBroken(firstBroken?.seq ?? 0, firstBroken?.problem ?? '')}
    </Status>
  );
}
