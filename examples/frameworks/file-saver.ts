import { deserialize, serialize } from 'node:v8';
import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph';
import { keep, readKept } from './keep.ts';

/** LangGraph's checkpoints in one file. For more than an example, take one of LangGraph's savers for a database. */
export class FileSaver extends MemorySaver {
  readonly #file: string;

  constructor(file: string) {
    super();
    this.#file = file;
    const kept = readKept(file);
    if (kept !== null) Object.assign(this, deserialize(kept));
  }

  override async put(...args: Parameters<MemorySaver['put']>): ReturnType<BaseCheckpointSaver['put']> {
    const config = await super.put(...args);
    this.#keep();
    return config;
  }

  override async putWrites(...args: Parameters<MemorySaver['putWrites']>): Promise<void> {
    await super.putWrites(...args);
    this.#keep();
  }

  #keep(): void {
    keep(this.#file, serialize({ storage: this.storage, writes: this.writes }));
  }
}
