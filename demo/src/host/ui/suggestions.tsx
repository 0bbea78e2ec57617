import type { ReactElement } from 'react';
import { Icon } from './icons.tsx';
import type { IconName } from './icons.tsx';

const SUGGESTIONS: readonly { prompt: string; hint: string; icon: IconName }[] = [
  {
    prompt: 'Build me a Q2 revenue dashboard',
    hint: 'An A2UI surface that fills while rows are read',
    icon: 'chart',
  },
  { prompt: 'Write a revenue report for Q3', hint: 'Prose that arrives word by word', icon: 'text' },
  { prompt: 'Run the partial-results tests', hint: 'The log of a real process, live', icon: 'terminal' },
];

/** Prompts to start from: cards in an empty transcript, a row of chips later. */
export function Suggestions({
  compact,
  disabled,
  onChoose,
}: {
  compact: boolean;
  disabled: boolean;
  onChoose(prompt: string): void;
}): ReactElement {
  return (
    <ul className={compact ? 'suggestions chips' : 'suggestions cards'} aria-label="Suggested prompts">
      {SUGGESTIONS.map(({ prompt, hint, icon }) => (
        <li key={prompt}>
          <button type="button" disabled={disabled} onClick={() => onChoose(prompt)}>
            <Icon name={icon} />
            <span className="prompt">{prompt}</span>
            {!compact && <span className="hint">{hint}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
