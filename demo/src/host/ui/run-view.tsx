import { useEffect, useMemo, useRef } from 'react';
import type { ReactElement } from 'react';
import { McpAppView } from '@mcp-apps-bridge/host-bridge/react';
import type { AppViewState } from '@mcp-apps-bridge/host-bridge/react';
import type { AppView, AppViewStatus, HostHandlers } from '@mcp-apps-bridge/host-bridge';
import type { Chat, Run } from '../chat/chat.ts';
import { styleVariables } from '../theme.ts';
import type { Theme } from '../theme.ts';

const HOST = { name: 'streaming-mcp-apps-demo', version: '1.0.0' };

interface RunViewProps {
  run: Run;
  id: number;
  chat: Chat;
  sandbox: string;
  theme: Theme;
}

/** The app of a call. It stands before the call is made where the tool says that it streams. */
export function RunView({ run, id, chat, sandbox, theme }: RunViewProps): ReactElement {
  const view = useRef<AppView | null>(null);
  const settings = useMemo(() => ({ url: sandbox }), [sandbox]);
  const context = useMemo(
    () => ({ theme, styles: { variables: styleVariables }, locale: navigator.language }),
    [theme],
  );

  const handlers = useMemo<HostHandlers>(
    () => ({
      openLink: (url) => confirm(`Open ${url}?`),
      log: ({ logger }) => {
        if (logger === 'a2ui') chat.viewLeftOut(id);
      },
    }),
    [chat, id],
  );

  useEffect(() => {
    chat.setViewCounters(id, () => view.current?.counters);
  }, [chat, id]);

  function onStatus(status: AppViewStatus): void {
    if (status === 'ready' || status === 'failed' || status === 'lost') chat.viewSettled(id);
  }

  return (
    <McpAppView
      className="view"
      client={run.server.client}
      tool={run.tool}
      tools={run.server.tools}
      call={run.call}
      sandbox={settings}
      hostInfo={HOST}
      hostContext={context}
      handlers={handlers}
      onStatus={onStatus}
      viewRef={view}
      fallback={Fallback}
    />
  );
}

/** What stands in the place of an app that is not there yet, or not there any more. */
function Fallback({ error, reload }: AppViewState): ReactElement {
  if (error === undefined) return <div className="loading" aria-hidden="true" />;
  return (
    <div className="lost" role="alert">
      <p>{error.message}</p>
      <button type="button" className="quiet" onClick={reload}>
        Load the app again
      </button>
    </div>
  );
}
