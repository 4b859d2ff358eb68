import { ownObject, ownString, textOf } from '../../adapters/acp/index.ts';
import { toVisible } from '../../presentation/visible.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { note, printJson } from '../output.ts';

/** Prints what an agent does. */
export interface Printer {
  update: (params: JsonObject) => void;
  /** The turn is over. */
  end: (stopReason: string) => void;
}

/** For people the agent's words, with its tool calls on stderr; for programs each event as a line of JSON. */
export function createPrinter(isJson: boolean): Printer {
  if (isJson) {
    return {
      update: (params) => printJson({ type: 'update', ...params }),
      end: (stopReason) => printJson({ type: 'end', stopReason }),
    };
  }
  let isInLine = false;
  const startLine = (): void => {
    if (isInLine) process.stdout.write('\n');
    isInLine = false;
  };
  return {
    update(params) {
      const update = ownObject(params, 'update');
      const type = ownString(update, 'sessionUpdate');
      if (type === 'agent_message_chunk') {
        const text = textOf(update?.['content']);
        if (text === '') return;
        // A script gets the text as it is; a terminal must not obey it.
        process.stdout.write(process.stdout.isTTY ? toVisible(text) : text);
        isInLine = !text.endsWith('\n');
      } else if (type === 'tool_call') {
        startLine();
        note(`${ownString(update, 'kind') ?? 'tool'}: ${ownString(update, 'title') ?? ''}`);
      }
    },
    end: startLine,
  };
}
