import type { ReactElement } from 'react';

const PATHS = {
  send: 'M10 16V4.5M4.8 9.5 10 4.2l5.2 5.3',
  stop: 'M6 6h8v8H6z',
  sun: 'M10 2.5v1.6M10 15.9v1.6M2.5 10h1.6M15.9 10h1.6M4.7 4.7l1.1 1.1M14.2 14.2l1.1 1.1M4.7 15.3l1.1-1.1M14.2 5.8l1.1-1.1M10 6.7a3.3 3.3 0 1 1 0 6.6 3.3 3.3 0 0 1 0-6.6Z',
  moon: 'M16.2 11.9A6.7 6.7 0 0 1 8.1 3.8a6.7 6.7 0 1 0 8.1 8.1Z',
  chart: 'M3.5 16.5h13M5.5 13.5v-3M10 13.5v-8M14.5 13.5V8',
  text: 'M4 5h12M4 8.7h12M4 12.3h12M4 16h7',
  terminal: 'M4.5 6 8 10l-3.5 4M10 14.5h5.5',
} as const;

export type IconName = keyof typeof PATHS;

/** A line drawing; what it stands for is always said in words beside it or in a label. */
export function Icon({ name }: { name: IconName }): ReactElement {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
