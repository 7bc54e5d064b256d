/**
 * A machine of tasks, drawn from its description: states from top to bottom, arrows down on the right, arrows up on the
 * left. The current state and the arrows that leave it are marked; those are also listed in words.
 */
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { Table } from '../ui/index.js';
import css from './machine.module.css';

export type MachineData = Reply<'GET /api/actor-machines'>['machines'][number];
type Transition = MachineData['transitions'][number];
type Kind = MachineData['kind'];

const rowHeight = 34;
const boxHeight = 24;
const boxWidth = 168;
/** The room for arcs on each side. */
const lane = 64;
const inset = 12;
const width = 2 * lane + boxWidth;

export function useMachine(kind: Kind): MachineData | undefined {
  return useRead('GET /api/actor-machines').data?.machines.find((machine) => machine.kind === kind);
}

/** `executing.working` of a state, or of the nested states, as the server tells them. */
export function readState(value: unknown): string {
  if (typeof value === 'string') return value;
  const [inner] = Object.entries((value ?? {}) as Record<string, unknown>);
  return inner === undefined ? '' : `${inner[0]}.${readState(inner[1])}`;
}

const isIn = (state: string, outer: string) => state === outer || state.startsWith(`${outer}.`);

/** What can happen in a state, that of the states around it included. */
export const leavingFrom = ({ transitions }: MachineData, state: string): readonly Transition[] =>
  transitions.filter(({ from }) => isIn(state, from));

/** A state, an event or a guard in words; one that this version of the panel does not know, as the server calls it. */
export function useMachineWords() {
  const { stateNames, eventNames, guardNames } = useText().tasks;
  const say = (names: Readonly<Record<string, string>>, name: string) => names[name] ?? name;
  return {
    sayState: (id: string) => say(stateNames, id.split('.').at(-1) ?? id),
    sayEvent: (event: string | undefined) => (event === undefined ? say(guardNames, '') : say(eventNames, event)),
    sayGuard: (guard: string) => say(guardNames, guard),
  };
}

export function Machine({ machine, state }: { machine: MachineData; state: string }) {
  const text = useText();
  return (
    <section>
      <h2>{text.tasks.machine}</h2>
      <div className={css.machine}>
        <Drawing machine={machine} state={state} />
        <NextMoves machine={machine} state={state} />
      </div>
      <AllMoves machine={machine} />
    </section>
  );
}

function Drawing({ machine, state }: { machine: MachineData; state: string }) {
  const text = useText();
  const { sayState } = useMachineWords();
  const places = new Map(machine.states.map(({ id }, row) => [id, row]));
  const rowOf = (id: string) => places.get(id) ?? 0;
  // One arc for each two states, however many events lead from one to the other.
  const arcs = new Map<string, Transition>();
  for (const move of machine.transitions) if (move.from !== move.to) arcs.set(`${move.from} ${move.to}`, move);
  const drawn = [...arcs.values()].map((move) => ({ ...move, isNext: isIn(state, move.from) }));
  // The marked ones are drawn last, over the others.
  drawn.sort((one, other) => Number(one.isNext) - Number(other.isNext));
  const height = machine.states.length * rowHeight;
  return (
    <svg
      className={css.drawing}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={text.tasks.machineNow(sayState(state), machine.states.map(({ id }) => sayState(id)).join(', '))}
    >
      <defs>
        {['arrow', 'next'].map((id) => (
          <marker key={id} id={id} viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" markerHeight="6" orient="auto">
            <path d="M0 0L6 3L0 6z" className={css[id]} />
          </marker>
        ))}
      </defs>
      {machine.states.map(({ id }) => (
        <Frame key={id} machine={machine} id={id} isPresent={isIn(state, id)} />
      ))}
      {drawn.map(({ from, to, isNext }) => (
        <path
          key={`${from} ${to}`}
          d={writeArc(rowOf(from), rowOf(to))}
          className={isNext ? css.nextArc : css.arc}
          markerEnd={isNext ? 'url(#next)' : 'url(#arrow)'}
        />
      ))}
      {machine.states.map(({ id, within, isFinal }) => (
        <g key={id} className={id === state ? css.present : isIn(state, id) ? css.around : css.state}>
          <rect
            x={lane + (within === undefined ? 0 : inset)}
            y={rowOf(id) * rowHeight + (rowHeight - boxHeight) / 2}
            width={boxWidth - (within === undefined ? 0 : 2 * inset)}
            height={boxHeight}
            rx={isFinal ? boxHeight / 2 : 3}
          />
          <text x={lane + boxWidth / 2} y={rowOf(id) * rowHeight + rowHeight / 2} dy="0.35em" textAnchor="middle">
            {sayState(id)}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** The frame around nested states. */
function Frame({ machine, id, isPresent }: { machine: MachineData; id: string; isPresent: boolean }) {
  const rows = machine.states.flatMap((state, row) => (isIn(state.id, id) ? [row] : []));
  const [first = 0] = rows;
  if (rows.length < 2) return undefined;
  return (
    <rect
      className={isPresent ? css.aroundFrame : css.frame}
      x={lane}
      y={first * rowHeight + (rowHeight - boxHeight) / 2}
      width={boxWidth}
      height={(rows.length - 1) * rowHeight + boxHeight + 4}
      rx={3}
    />
  );
}

/**
 * Down on the right, up on the left; longer arcs are wider. An arc leaves below the middle of a box and arrives above
 * the middle.
 */
function writeArc(from: number, to: number): string {
  const middle = (row: number) => row * rowHeight + rowHeight / 2;
  const isDown = to > from;
  const side = isDown ? lane + boxWidth : lane;
  const bow = Math.min(lane * 1.25, 12 + 9 * Math.abs(to - from)) * (isDown ? 1 : -1);
  const [start, end] = [middle(from) + 5, middle(to) - 5];
  return `M${side} ${start}C${side + bow} ${start} ${side + bow} ${end} ${side} ${end}`;
}

function NextMoves({ machine, state }: { machine: MachineData; state: string }) {
  const text = useText();
  const { sayState } = useMachineWords();
  const moves = leavingFrom(machine, state);
  if (moves.length === 0) return <p>{text.tasks.nothingLeads}</p>;
  const targets = [...new Set(moves.map(({ to }) => to))];
  return (
    <div>
      <h3>{text.tasks.canHappen}</h3>
      <ul className={css.moves}>
        {targets.map((target) => (
          <li key={target}>
            <span>→ {sayState(target)}</span>
            <Causes moves={moves.filter(({ to }) => to === target)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Causes({ moves }: { moves: readonly Transition[] }) {
  const { sayEvent, sayGuard } = useMachineWords();
  const causes = moves.map(
    ({ event, guard }) => `${sayEvent(event)}${guard === undefined ? '' : ` (${sayGuard(guard)})`}`,
  );
  return <span className={css.cause}>{[...new Set(causes)].join(' · ')}</span>;
}

/** The whole drawing in words. */
function AllMoves({ machine }: { machine: MachineData }) {
  const text = useText();
  const { sayState } = useMachineWords();
  const pairs = [...new Set(machine.transitions.map(({ from, to }) => `${from} ${to}`))];
  return (
    <details>
      <summary>{text.asTable}</summary>
      <Table
        label={text.tasks.machine}
        head={[text.tasks.from, text.tasks.to, text.why]}
        rows={pairs.map((pair) => {
          const moves = machine.transitions.filter(({ from, to }) => `${from} ${to}` === pair);
          const [{ from = '', to = '' } = {}] = moves;
          return { key: pair, cells: [sayState(from), sayState(to), <Causes key="why" moves={moves} />] };
        })}
      />
    </details>
  );
}
