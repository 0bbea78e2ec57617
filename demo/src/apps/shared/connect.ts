import { attachToApp, createAppRuntime, streamCapabilities } from '@mcp-apps-bridge/app-runtime';
import type { AppRuntime, Consumer, Snapshot } from '@mcp-apps-bridge/app-runtime';
import type { MergeModes } from '@mcp-apps-bridge/partial-results';
import {
  App,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
} from '@modelcontextprotocol/ext-apps';
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps';

export interface Connected<S> {
  app: App;
  runtime: AppRuntime<S>;
}

/**
 * What every app of the demo does: connect to the host, follow its theme, turn the stream into snapshots,
 * and say on the document how the stream stands.
 */
export function connectApp<S>(options: {
  name: string;
  consumer: Consumer<S>;
  /** How the tool's chunks combine, for hosts that do not say so on the chunks. */
  modes: MergeModes;
  /** Whether a state shows anything, and so can be incomplete. */
  hasContent(state: S): boolean;
  /** Who shows the text of an error result. Default: the page's notice. */
  errors?: 'shown-by-view';
  onSnapshot(snapshot: Snapshot<S>): void;
}): Connected<S> {
  const app = new App({ name: options.name, version: '1.0.0' }, streamCapabilities);
  const runtime = attachToApp(app, (sendAck) =>
    createAppRuntime({ consumer: options.consumer, modes: options.modes, sendAck, onChange: show }),
  );

  function show(snapshot: Snapshot<S>): void {
    const busy = snapshot.status === 'waiting' || snapshot.status === 'streaming';
    document.body.setAttribute('aria-busy', String(busy));
    document.body.dataset['status'] = snapshot.status;
    showNotice(snapshot, {
      kept: snapshot.incomplete && options.hasContent(snapshot.state),
      errorShown: options.errors === 'shown-by-view',
    });
    options.onSnapshot(snapshot);
  }

  app.onhostcontextchanged = applyContext;
  app.onteardown = () => {
    runtime.close();
    return {};
  };
  show(runtime.snapshot());
  app.connect().then(
    () => applyContext(app.getHostContext() ?? {}),
    (error: unknown) => {
      setNotice(
        'bad',
        `This view could not reach its host: ${error instanceof Error ? error.message : String(error)}`,
      );
    },
  );
  return { app, runtime };
}

function applyContext(context: McpUiHostContext): void {
  if (context.theme !== undefined) applyDocumentTheme(context.theme);
  if (context.styles?.variables !== undefined) applyHostStyleVariables(context.styles.variables);
  if (context.styles?.css?.fonts !== undefined) applyHostFonts(context.styles.css.fonts);
  if (context.locale !== undefined) document.documentElement.lang = context.locale;
}

function showNotice<S>(
  { status, error }: Snapshot<S>,
  { kept, errorShown }: { kept: boolean; errorShown: boolean },
): void {
  const rest = kept ? ' What is shown is incomplete.' : '';
  if (status === 'failed')
    setNotice('bad', `${errorShown ? '' : (error?.text ?? 'The tool failed.')}${rest}`.trim());
  else if (status === 'cancelled') setNotice('warn', `Cancelled.${rest}`);
}

/** The page's one place for trouble; `role="alert"` reads it out when it changes. */
export function setNotice(tone: 'bad' | 'warn' | 'none', text: string): void {
  const notice = document.getElementById('notice');
  if (notice === null || notice.textContent === text) return;
  notice.textContent = text;
  notice.dataset['tone'] = tone;
  notice.hidden = text === '';
}
