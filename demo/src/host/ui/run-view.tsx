import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { createAppView } from '../../../../packages/host-bridge/src/lib/frame/app-view.ts';
import type { Chat, Run } from '../chat/chat.ts';
import { styleVariables } from '../theme.ts';
import type { Theme } from '../theme.ts';

export function RunView({
  run,
  id,
  chat,
  sandbox,
  theme,
}: {
  run: Run;
  id: number;
  chat: Chat;
  sandbox: string;
  theme: Theme;
}): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<any>(null);
  useEffect(() => {
    const v = createAppView({
      client: run.server.client as never,
      tool: run.tool as never,
      container: box.current!,
      sandbox: { url: sandbox },
      hostContext: { theme, styles: { variables: styleVariables as never } },
      onEvent: (e: any) => {
        if (e.type === 'view_status' && ['ready', 'failed', 'lost'].includes(e.status)) chat.viewSettled(id);
        if (e.type !== 'csp_applied') console.debug(JSON.stringify(e).slice(0, 200));
      },
    });
    view.current = v;
    chat.setViewCounters(id, () => v.counters);
    return () => void v.close();
  }, []);
  useEffect(() => {
    if (run.call) view.current.show(run.call);
  }, [run.call]);
  useEffect(() => {
    view.current.setHostContext({ theme });
  }, [theme]);
  return <div className="view" ref={box} />;
}
