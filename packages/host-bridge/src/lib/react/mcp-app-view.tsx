import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactElement,
  type ReactNode,
} from 'react';
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge';
import { HostBridgeError } from '../errors.ts';
import { createAppView } from '../frame/app-view.ts';
import type { AppView, AppViewOptions } from '../frame/app-view-types.ts';
import type { AppViewStatus } from '../frame/frame-events.ts';
import type { HostHandlers } from '../frame/host-handlers.ts';
import { leaveGracefully } from './leave-gracefully.ts';

/** What a `fallback` is told. */
export interface AppViewState {
  status: AppViewStatus;
  /** Set when the status is `failed` or `lost`. */
  error?: HostBridgeError | undefined;
  /** Starts over with a new frame. */
  reload: () => void;
}

/** Props of {@link McpAppView}: the options of `createAppView` without the container, and these. */
export interface McpAppViewProps extends Omit<AppViewOptions, 'container' | 'handlers'> {
  /** May be a new object on each render; the hooks of the latest render are called. */
  handlers?: HostHandlers | undefined;
  onStatus?: ((status: AppViewStatus, error?: HostBridgeError) => void) | undefined;
  /**
   * Shown in the frame's place while it is not `ready`. Default: nothing while loading, the error's message as
   * an alert afterwards.
   */
  fallback?: ReactNode | ((state: AppViewState) => ReactNode);
  /** Holds the view while there is one. */
  viewRef?: { current: AppView | null } | undefined;
  className?: string | undefined;
  style?: CSSProperties | undefined;
}

/** One view's time in the component. */
interface Stay {
  container: HTMLElement;
  view: AppView | undefined;
  left: boolean;
}

/* React 18 warns about layout effects where there is no layout. */
const useMountEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;
const cell: CSSProperties = { gridArea: '1 / 1', minWidth: 0 };

/**
 * Shows a tool's view. Start the call with `startToolCall` and pass it as `call`: the component shows calls, it
 * makes none.
 *
 * The frame lives as long as `client`, the tool's name and view and the sandbox's address stay the same. A
 * new `call`, `hostContext`, hook or callback is taken over without touching it; `limits`, `feed`, `sanitizer`
 * and the rest of `sandbox` are read when the frame is made. Works in StrictMode.
 */
export function McpAppView(props: McpAppViewProps): ReactElement {
  const { client, tool, sandbox, call, hostContext, fallback } = props;
  const [state, setState] = useState<{ status: AppViewStatus; error?: HostBridgeError }>({
    status: 'loading',
  });
  const wrapper = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<AppView | null>(null);
  const current = useRef<Stay | null>(null);
  const latest = useRef(props);
  const sandboxAddress = String(sandbox.url);
  const toolIdentity = JSON.stringify([tool.name, tool._meta?.['ui'], tool._meta?.['ui/resourceUri']]);
  const contextIdentity = JSON.stringify(hostContext ?? {});

  useMountEffect(() => {
    latest.current = props;
  });

  function leave(stay: Stay): void {
    if (stay.left) return;
    stay.left = true;
    if (!stay.view) return;
    const { viewRef } = latest.current;
    if (viewRef?.current === stay.view) viewRef.current = null;
    leaveGracefully(stay.container, stay.view);
  }

  function start(stay: Stay): void {
    if (stay.left || !wrapper.current) return;
    const { viewRef, onStatus: _, fallback: __, className: ___, style: ____, ...options } = latest.current;
    const show = (status: AppViewStatus, error?: HostBridgeError): void => {
      latest.current.onStatus?.(status, error);
      if (!stay.left) setState(error ? { status, error } : { status });
    };
    wrapper.current.append(stay.container);
    try {
      stay.view = createAppView({
        ...options,
        container: stay.container,
        handlers: () => latest.current.handlers ?? {},
        onEvent(event) {
          latest.current.onEvent?.(event);
          if (event.type === 'view_status') show(event.status, event.error);
        },
      });
    } catch (error) {
      stay.container.remove();
      const known = error instanceof HostBridgeError;
      return show('failed', known ? error : new HostBridgeError('invalid_option', String(error)));
    }
    setView(stay.view);
    if (viewRef) viewRef.current = stay.view;
  }

  /* Both take what names the view as their dependencies; everything else is read when it starts. */
  useEffect(() => {
    /* The container is ours, not React's, so that it can outlive the component while the app finishes. */
    const mine: Stay = { container: document.createElement('div'), view: undefined, left: false };
    current.current = mine;
    /* StrictMode runs effect, clean-up and effect in one go: the first of them never starts a frame. */
    queueMicrotask(() => start(mine));
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- see above
    return () => leave(mine);
  }, [client, toolIdentity, sandboxAddress]);

  /* Cleaned up before React takes the frame's place out of the page; effects like the one above are, after it. */
  useMountEffect(
    () => () => void (current.current && leave(current.current)),
    [client, toolIdentity, sandboxAddress],
  );

  useEffect(() => {
    if (call && view?.status !== 'closed' && view?.status !== 'closing') view?.show(call);
  }, [call, view]);

  useEffect(() => {
    view?.setHostContext(JSON.parse(contextIdentity) as McpUiHostContext);
  }, [contextIdentity, view]);

  const { status, error } = state;
  const shown = status === 'ready' || status === 'closing';
  const reload = (): void => view?.reload();
  return (
    <div
      className={props.className}
      style={{ display: 'grid', ...props.style }}
      data-status={status}
      aria-busy={status === 'loading' || status === 'connecting'}
    >
      <div ref={wrapper} style={{ ...cell, visibility: shown ? 'visible' : 'hidden' }} />
      {shown ? null : <div style={cell}>{renderFallback(fallback, { status, error, reload })}</div>}
    </div>
  );
}

function renderFallback(fallback: McpAppViewProps['fallback'], state: AppViewState): ReactNode {
  if (typeof fallback === 'function') return fallback(state);
  if (fallback !== undefined) return fallback;
  return state.error ? <p role="alert">{state.error.message}</p> : null;
}
