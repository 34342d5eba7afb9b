<?php
/**
 * Plugin Name:       Guichet
 * Description:       The assistant and the forms of a Guichet service on this site: visitors ask, and hand in.
 * Version:           0.1.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * License:           MIT
 * Text Domain:       guichet
 * Domain Path:       /languages
 */

namespace Guichet;

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

const VERSION = '0.1.0';
const OPTION  = 'guichet';

require __DIR__ . '/includes/languages.php';
require __DIR__ . '/includes/settings.php';
require __DIR__ . '/includes/settings-page.php';
require __DIR__ . '/includes/assistant.php';
require __DIR__ . '/includes/form.php';
require __DIR__ . '/includes/blocks.php';

/** The address of a file of the plugin. */
function file_url( string $path ): string {
	return plugins_url( $path, __FILE__ );
}
