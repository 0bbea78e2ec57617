import type { AssemblerEvent, ReorderEvent } from '@mcp-apps-bridge/partial-results/stream';
import type { OutputEvent } from '../events.ts';
import type { OutputCounterBoard } from './counters.ts';
import type { Report } from './sanitize/report.ts';

/** Turns what the stages report into figures and events of one output. */
export interface OutputReport {
  emit(event: OutputEvent): void;
  reorder(event: ReorderEvent): void;
  assembler(event: AssemblerEvent): void;
  sanitized(target: 'partial' | 'result'): Report;
  /** Runs what is about one chunk or the result. A big one could cause a million events: most are only counted. */
  about<T>(run: () => T): T;
}

/** Events on details of one chunk or result; of the rest it is said how many there are. */
const MAX_DETAILS = 20;

export interface OutputReportOptions {
  counters: OutputCounterBoard;
  onEvent: ((event: OutputEvent) => void) | undefined;
}

export function createOutputReport({ counters, onEvent }: OutputReportOptions): OutputReport {
  function emit(event: OutputEvent): void {
    try {
      onEvent?.(event);
    } catch {
      // An observer is no reason to stop a stream.
    }
  }

  let details = 0;
  function detail(event: OutputEvent): void {
    if (++details <= MAX_DETAILS) emit(event);
  }

  return {
    emit,
    reorder(event) {
      switch (event.type) {
        case 'duplicate':
          counters.duplicate();
          return emit({ type: 'chunk_duplicate', seq: event.seq });
        case 'late':
          counters.late();
          return emit({ type: 'chunk_late', seq: event.seq });
        case 'too_far': {
          counters.rejected('too_far');
          const message = `$.seq: ${event.seq} is too far ahead of the last number`;
          return emit({ type: 'chunk_rejected', code: 'too_far', path: '$.seq', message });
        }
        case 'gap':
          counters.gap(event.last - event.first + 1);
          return emit(event);
      }
    },
    assembler(event) {
      counters.record();
      if (event.type === 'too_many_streams') {
        return detail({ type: 'record_rejected', problem: event.type, uri: event.uri, sample: '' });
      }
      const { problem, uri, sample } = event;
      detail({ type: 'record_rejected', problem, uri, sample });
    },
    sanitized: (target) => (code, path, message) => {
      counters.sanitized(code);
      detail({ type: 'sanitized', target, code, path, message });
    },
    about(run) {
      details = 0;
      try {
        return run();
      } finally {
        const more = details - MAX_DETAILS;
        if (more > 0) emit({ type: 'details_left_out', count: more });
      }
    },
  };
}
