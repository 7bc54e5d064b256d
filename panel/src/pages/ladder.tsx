/** The layers that a call passes through, in order, with the verdict of each in one sentence and what would change it. */
import { Link } from '@tanstack/react-router';
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { RuleName, Status } from '../ui/index.js';
import css from './pages.module.css';

type Explanation = Reply<'POST /api/explain'>;

interface LadderProps {
  readonly explanation: Explanation;
  /** Slug of the agent in question. */
  readonly agent: string;
}

export function Ladder({ explanation, agent }: LadderProps) {
  const text = useText();
  return (
    <>
      <p className={css.lead}>
        <Status kind={explanation.verdict}>{text.verdicts[explanation.verdict]}</Status>
        <RuleName rule={explanation.rule} />
      </p>
      <ol className={css.ladder}>
        {explanation.steps.map((step) => (
          <li key={`${step.layer} ${step.rule ?? ''} ${step.reason}`} data-verdict={step.verdict}>
            <Status kind={step.verdict}>{text.layers[step.layer]}</Status>
            <span lang="en">{step.reason}</span>
            {step.verdict === 'deny' || step.verdict === 'require_approval' ? (
              <Mend layer={step.layer} agent={agent} />
            ) : undefined}
          </li>
        ))}
      </ol>
    </>
  );
}

/** The page on which the person can change what this layer says. */
function Mend({ layer, agent }: { layer: Explanation['steps'][number]['layer']; agent: string }) {
  const text = useText();
  if (layer === 'grant')
    return (
      <Link to="/agents/$slug/tools" params={{ slug: agent }}>
        {text.mend.grant}
      </Link>
    );
  if (layer === 'policy') return <Link to="/settings/policies">{text.mend.policy}</Link>;
  if (layer === 'connection') return <Link to="/connections">{text.mend.connection}</Link>;
  if (layer === 'workspace') return <Link to="/catalogue">{text.mend.workspace}</Link>;
  if (layer === 'definition') return <Link to="/settings/definitions">{text.mend.definition}</Link>;
  return undefined;
}
