import type { ReactElement } from 'react';
import type { OutputStatus } from '@mcp-apps-bridge/host-bridge';
import type { Chat, Run, Turn } from '../chat/chat.ts';
import type { Theme } from '../theme.ts';
import { Answer } from './answer.tsx';
import { Figures } from './figures.tsx';
import { Icon } from './icons.tsx';
import { RunView } from './run-view.tsx';

const STATUS_TEXT: Record<OutputStatus, string> = {
  waiting: 'Starting',
  streaming: 'Streaming',
  complete: 'Complete',
  cancelled: 'Cancelled',
  failed: 'Failed',
  interrupted: 'Interrupted',
};

interface TurnProps {
  turn: Turn;
  chat: Chat;
  sandbox: string;
  theme: Theme;
}

/** One prompt, what the assistant says to it, the running tool, and what came of it. */
export function TurnItem({ turn, chat, sandbox, theme }: TurnProps): ReactElement {
  return (
    <li className="turn" data-turn={turn.id}>
      <p className="prompt-bubble">
        <span className="visually-hidden">You: </span>
        {turn.prompt}
      </p>
      {turn.say !== undefined && <p className="say">{turn.say}</p>}
      {turn.run !== undefined && (
        <RunCard run={turn.run} id={turn.id} chat={chat} sandbox={sandbox} theme={theme} />
      )}
      {turn.answer !== undefined && <Answer text={turn.answer} />}
    </li>
  );
}

function RunCard({
  run,
  id,
  chat,
  sandbox,
  theme,
}: { run: Run; id: number } & Omit<TurnProps, 'turn'>): ReactElement {
  const title = run.tool.title ?? run.tool.name;
  const running = run.status === 'waiting' || run.status === 'streaming';
  return (
    <section className="card" aria-label={title} aria-busy={running}>
      <header>
        <h3>{title}</h3>
        <span className="from">{run.server.name} server</span>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <output> is for what a form comes to */}
        <span className="pill" role="status" data-status={run.queued ? 'queued' : run.status}>
          {run.queued ? 'Queued' : STATUS_TEXT[run.status]}
        </span>
        {running && (
          <button
            type="button"
            className="cancel"
            onClick={() => chat.cancel(id)}
            aria-label={`Cancel ${title}`}
          >
            <Icon name="stop" />
            Cancel
          </button>
        )}
      </header>
      <RunView run={run} id={id} chat={chat} sandbox={sandbox} theme={theme} />
      <Figures values={run.figures} />
    </section>
  );
}
