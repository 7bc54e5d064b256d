/** A form for the most usual kind of policy: for these tools and agents, allow, ask a person, or refuse. */
import { type FormEvent, useState } from 'react';
import { useText } from '../messages/index.js';
import { Actions, Button, Form } from '../ui/index.js';
import css from './pages.module.css';
import type { Policy } from './policies.js';

interface NewRuleProps {
  /** What the form begins with: names, separated by commas. */
  readonly tools: string;
  readonly agents: string;
  readonly onAdd: (policy: Policy) => void;
}

const effects = ['require_approval', 'deny', 'allow'] as const;
const readNames = (list: string) => list.split(',').flatMap((name) => name.trim() || []);

export function NewRule({ tools, agents, onAdd }: NewRuleProps) {
  const text = useText();
  const [id, setId] = useState('');
  const [effect, setEffect] = useState<(typeof effects)[number]>('require_approval');
  const [toolList, setToolList] = useState(tools);
  const [agentList, setAgentList] = useState(agents);
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const chosenAgents = readNames(agentList);
    onAdd({
      id,
      effect,
      when: { tools: readNames(toolList), ...(chosenAgents.length === 0 ? {} : { agents: chosenAgents }) },
      ...(reason === '' ? {} : { reason }),
    });
    setId('');
  };
  return (
    <details open={tools !== ''}>
      <summary>{text.newRule}</summary>
      <Form needs="policies:write" className={css.form} onSubmit={submit}>
        <label>
          {text.ruleTools}
          <input required value={toolList} onChange={(event) => setToolList(event.target.value)} />
        </label>
        <label>
          {text.ruleAgents}
          <input value={agentList} onChange={(event) => setAgentList(event.target.value)} />
        </label>
        <label>
          {text.ruleEffect}
          <select value={effect} onChange={(event) => setEffect(event.target.value as typeof effect)}>
            {effects.map((each) => (
              <option key={each} value={each}>
                {text.effects[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {text.ruleName}
          <input required value={id} onChange={(event) => setId(event.target.value)} />
        </label>
        <label>
          {text.ruleReason} ({text.optional})
          <input value={reason} onChange={(event) => setReason(event.target.value)} />
        </label>
        <Actions>
          <Button type="submit" needs="policies:write">
            {text.addRule}
          </Button>
        </Actions>
      </Form>
    </details>
  );
}
