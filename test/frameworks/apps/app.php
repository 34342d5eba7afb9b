<?php
$mistake = getenv("MISTAKE");
if ($mistake === "slash") {
    header("Location: /hook/", true, 301);
} elseif ($mistake === "form" && !isset($_POST["nom"])) {
    http_response_code(400);
}
