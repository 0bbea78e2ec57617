import type { ReactElement } from 'react';
import type { Figures as FigureValues } from '../chat/figures.ts';

const bytes = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

function formatBytes(value: number): string {
  return value < 1000 ? `${value} B` : `${bytes.format(value / 1000)} kB`;
}

const ROWS: readonly { key: keyof FigureValues; label: string; title: string }[] = [
  { key: 'received', label: 'Received', title: 'Partial results that came from the server' },
  { key: 'merged', label: 'Merged', title: 'Partial results that travelled to the app inside another one' },
  { key: 'applied', label: 'Applied', title: 'Messages the app has taken into its state' },
  { key: 'gaps', label: 'Gaps', title: 'Losses that were waited for in vain' },
  { key: 'bytes', label: 'Bytes', title: 'Size of what was received' },
  { key: 'rejected', label: 'Rejected', title: 'Messages and lines that were refused' },
];

/** The stream in figures, as it runs. Not read out: six numbers that change all the time help nobody. */
export function Figures({ values }: { values: FigureValues }): ReactElement {
  return (
    <dl className="figures" aria-label="Stream figures">
      {ROWS.map(({ key, label, title }) => (
        <div
          key={key}
          title={title}
          data-alert={key !== 'bytes' && ['gaps', 'rejected'].includes(key) && values[key] > 0}
        >
          <dt>{label}</dt>
          <dd data-figure={key} data-value={values[key]}>
            {key === 'bytes' ? formatBytes(values[key]) : values[key]}
          </dd>
        </div>
      ))}
    </dl>
  );
}
