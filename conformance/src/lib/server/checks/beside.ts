import { expectNone, failure, skipped, success, type Verdict, warning } from '../../report.ts';
import { type Message, partialParams } from '../../wire/message.ts';
import { describe } from '../../wire/peer.ts';
import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import { partialsOf } from '../calls.ts';
import type { ServerCheckId } from '../catalogue.ts';
import type { ServerRun } from '../run.ts';

/** S15 and S16: tasks, progress and the hint. */
export function judgeBeside(run: ServerRun): Array<[ServerCheckId, Verdict]> {
  return [
    ['s16-streaming-hint', judgeHint(run)],
    ['s15-task-id', judgeTask(run)],
    ['s16-progress-beside-partials', judgeProgress(run)],
  ];
}

function judgeHint({ definition, targets, calls, peer }: ServerRun): Verdict {
  if (!definition) return failure(`tools/list has no tool ${targets.tool.name}`);
  const annotations = isPlainObject(definition['annotations']) ? definition['annotations'] : {};
  const hint = annotations['streamingHint'];
  if (hint !== undefined && typeof hint !== 'boolean')
    return failure(`streamingHint is ${JSON.stringify(hint)}`);
  if (hint === true) return success('it does');
  const streams = calls.streamed && partialsOf(peer, calls.streamed).length > 0;
  return streams ? warning('the tool streams and does not say so') : skipped('the tool does not stream');
}

function judgeTask(run: ServerRun): Verdict {
  const { task } = run.calls;
  if (!task) return skipped('no task was asked for: name a tool with --task-tool');
  if (task.task === undefined)
    return skipped(`the call became no task: ${describe(task.exchange.response).slice(0, 120)}`);
  const partials = partialsOf(run.peer, task);
  if (partials.length === 0) return skipped('the task sent no partial');
  return expectNone(
    partials.flatMap(({ message }) => {
      const { taskId, seq } = partialParams(message)!;
      return taskId === task.task ? [] : [`seq ${JSON.stringify(seq)} has taskId ${JSON.stringify(taskId)}`];
    }),
    `${partials.length} partials of task ${task.task}`,
  );
}

function judgeProgress(run: ServerRun): Verdict {
  const { progress, streamed } = run.calls;
  if (!progress || !streamed) return skipped('the call was not made');
  if (partialsOf(run.peer, streamed).length === 0) return skipped('no partial came');
  if (partialsOf(run.peer, progress).length === 0)
    return failure('with a progressToken the call sent no partial');
  const { sentAt, responseAt } = progress.exchange;
  const seen = run.peer.frames
    .slice(sentAt, responseAt)
    .map(({ message }) => message)
    .filter(isProgress);
  const wrong = seen.filter(({ params }) => (params as Message)['progressToken'] === progress.token);
  return expectNone(
    wrong.map(() => 'progress came under the token of the partials'),
    seen.length > 0 ? `${seen.length} progress notifications beside them` : 'the tool reports no progress',
  );
}

function isProgress(message: Message): boolean {
  return message['method'] === 'notifications/progress' && isPlainObject(message['params']);
}
