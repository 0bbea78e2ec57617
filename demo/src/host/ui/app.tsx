import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import type { Chat } from '../chat/chat.ts';
import type { PageOptions } from '../config.ts';
import { useTheme } from '../theme.ts';
import { Composer } from './composer.tsx';
import { Icon } from './icons.tsx';
import { Suggestions } from './suggestions.tsx';
import { TurnItem } from './turn.tsx';

/** The chat page. */
export function App({
  chat,
  sandbox,
  options,
}: {
  chat: Chat;
  sandbox: string;
  options: PageOptions;
}): ReactElement {
  const { turns, busy } = useSyncExternalStore(chat.subscribe, chat.getState);
  const { theme, toggle } = useTheme();
  const list = useRef<HTMLOListElement>(null);

  // The newest prompt goes to the top of the window; its answer then grows below without moving it.
  useEffect(() => {
    if (turns.length > 0) list.current?.lastElementChild?.scrollIntoView({ block: 'start' });
  }, [turns.length]);

  return (
    <div className="page">
      <header className="bar">
        <h1 className="brand">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="9" fill="var(--accent-fill)" />
            <path
              d="M7 20c4 0 4-8 9-8s5 8 9 8"
              fill="none"
              stroke="#fff"
              strokeWidth="2.6"
              strokeLinecap="round"
            />
            <path d="M7 24h18" stroke="#fff" strokeOpacity=".55" strokeWidth="2.2" strokeLinecap="round" />
          </svg>
          Streaming MCP Apps
        </h1>
        <div className="tools">
          <span className="connection" data-state="ready">
            {options.partials ? 'Partial results on' : 'Partial results off'}
          </span>
          <button
            type="button"
            className="icon-button"
            onClick={toggle}
            aria-label={theme === 'light' ? 'Switch to dark theme' : 'Switch to light theme'}
          >
            <Icon name={theme === 'light' ? 'moon' : 'sun'} />
          </button>
        </div>
      </header>
      <main>
        {turns.length === 0 ? (
          <div className="welcome">
            <h2>Tool output, while the tool still runs</h2>
            <p>
              Ask for something that takes a few seconds. The app below your question fills with what the
              server has so far, and ends in the same state as if nothing had been streamed.
            </p>
            <Suggestions compact={false} disabled={busy} onChoose={chat.send} />
          </div>
        ) : (
          <ol className="transcript" ref={list} aria-label="Conversation">
            {turns.map((turn) => (
              <TurnItem key={turn.id} turn={turn} chat={chat} sandbox={sandbox} theme={theme} />
            ))}
          </ol>
        )}
      </main>
      <footer className="dock">
        <div>
          {turns.length > 0 && <Suggestions compact disabled={busy} onChoose={chat.send} />}
          <Composer disabled={busy} onSend={chat.send} />
        </div>
      </footer>
    </div>
  );
}
