import type { Command } from 'commander';
import type { ContentLevel } from '../../protocol/destination.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { addClientOptions } from '../client.ts';
import { createCommand } from '../command.ts';
import { toTerms } from '../notify/destination-words.ts';
import {
  addFilterOptions,
  addWhenOptions,
  collectTypes,
  type NotifyOptions,
  toFilter,
  toWhen,
} from '../notify/draft-options.ts';
import { findDestination, withDestinations } from '../notify/with-destinations.ts';
import { print, printJson } from '../output.ts';

interface EditOptions extends NotifyOptions {
  on?: boolean;
  off?: boolean;
  everything?: boolean;
}

export function createEdit(): Command {
  return addClientOptions(
    addFilterOptions(
      addWhenOptions(
        createCommand('edit', {
          summary: 'Change when and of what a destination is told, or turn it off or on.',
          examples: [
            ['beckon notify edit dst_… --after 10m --quiet 22:00-07:00', 'later, and not at night'],
            ['beckon notify edit dst_… --quiet none', 'at any hour again'],
            ['beckon notify edit dst_… --off', 'nothing until --on; --on also ends a pause'],
            ['beckon notify edit dst_… --everything', 'take all filters away'],
          ],
        }).argument('<id>', 'id of the destination, from "beckon notify list"'),
      ),
    )
      .option('--types <types>', 'for a webhook: only these types, separated by commas', collectTypes)
      .option('--only-out-of-sight', 'not while you have the page in sight')
      .option('--everything', 'take all filters away, before those that are named here')
      .option('--on', 'turn it on')
      .option('--off', 'turn it off'),
  ).action(async (id: string, options: EditOptions) => {
    const { label, content, on, off, everything } = options;
    if (on === true && off === true) throw new BeckonError('invalid_input', 'Give --on or --off, not both.');
    const changed = await withDestinations(options, async (destinations) => {
      const { when, filter } = await findDestination(destinations, id);
      return destinations.edit(id, {
        when: toWhen(options, when),
        filter: toFilter(options, everything === true ? {} : filter),
        ...(label !== undefined && { label }),
        ...(content !== undefined && { content: content as ContentLevel }),
        ...((on === true || off === true) && { isOn: on === true }),
      });
    });
    if (options.json === true) return printJson(changed);
    print(`${changed.id} is ${changed.isOn ? 'on' : 'off'}: ${toTerms(changed)}.`);
  });
}
