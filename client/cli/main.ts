#!/usr/bin/env node
/** The program `tidemark`. */
import { runProcess } from './process.ts';

process.exitCode = await runProcess({ cwd: process.cwd(), localService: () => Promise.resolve(undefined) });
