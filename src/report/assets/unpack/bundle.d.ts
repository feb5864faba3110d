// SPDX-License-Identifier: Apache-2.0

// The hash of bundles/html.js, from scripts/bundle_assets.sh, in the form of the
// attribute "integrity".
declare const PROGRAM_INTEGRITY: string;
