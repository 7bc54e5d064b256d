/** The result of a call: as the record has it, and drawn as a table, an image, a difference or a file where it is one. */
import { useState } from 'react';
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { Code, Json, revealHidden, Table } from '../ui/index.js';
import css from './pages.module.css';

type Execution = Reply<'GET /api/tools/executions/:executionId'>;
type Widget = NonNullable<Execution['widget']>;

export function ShownResult({ call }: { call: Execution }) {
  const text = useText();
  const [isRaw, setRaw] = useState(false);
  const { widget, outcome } = call;
  if (outcome === undefined || widget?.type === 'error') return undefined;
  return (
    <section>
      <div className={css.bar}>
        <h2>{text.result}</h2>
        <button type="button" aria-pressed={!isRaw} onClick={() => setRaw(false)}>
          {text.drawn}
        </button>
        <button type="button" aria-pressed={isRaw} onClick={() => setRaw(true)}>
          {text.recorded}
        </button>
      </div>
      <p className={css.dim}>{text.asRecorded}</p>
      {isRaw || widget === undefined ? (
        <Json label={text.result} value={outcome.output ?? null} />
      ) : (
        <Drawn widget={widget} />
      )}
    </section>
  );
}

/** How many rows of a table are drawn. The record has them all. */
const maxRows = 200;

function Drawn({ widget }: { widget: Exclude<Widget, { type: 'error' }> }) {
  const text = useText();
  switch (widget.type) {
    case 'text':
    case 'diff':
      return <Code label={text.result} text={widget.text} />;
    case 'image':
      return <img className={css.image} src={`data:${widget.mimeType};base64,${widget.data}`} alt={text.result} />;
    case 'file':
      return widget.text === undefined ? <p>{widget.name}</p> : <Code label={widget.name} text={widget.text} />;
    case 'table':
      return (
        <Table
          label={text.result}
          head={widget.columns.map(revealHidden)}
          rows={widget.rows.slice(0, maxRows).map((cells, at) => ({
            key: `${at}`,
            cells: cells.map((cell) => revealHidden(typeof cell === 'string' ? cell : JSON.stringify(cell ?? null))),
          }))}
        />
      );
  }
}
